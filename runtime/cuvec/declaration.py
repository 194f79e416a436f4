"""Declared signatures, read: ``gemv<T: float32, float64>(a: T(m,n), x: T(n)) -> y: T(m)``."""

import inspect
import re
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any, Literal

from . import _core

ANY_SHAPE = ("...",)
_HEAD = re.compile(r"(\w+)(?:<([^>]*)>)?\((.*)\)", re.DOTALL)
_ARGUMENT = re.compile(
    r"(?:(?P<name>\w+)\s*:)?\s*(?:(?P<direction>inout|out)\s+)?(?P<dtype>\w+)"
    r"\s*(?:\((?P<shape>[^=]*)\))?\s*(?:=.*)?",
    re.DOTALL,
)


@dataclass(frozen=True)
class Argument:
    """An argument or a result.

    Attributes
    ----------
    name : str
        Empty for a result that has none.
    dtype : str
        A dtype of NumPy's, or a variable of the declaration.
    shape : tuple of str, or None
        The extents, `ANY_SHAPE` for ``(...)``, and None for a number.
    direction : {"in", "inout", "out"}
        Whether an array is read and written; results are ``"out"``.
    keyword_only : bool
    default : bool, int, float or None
        None where there is no default.
    """

    name: str
    dtype: str
    shape: tuple[str, ...] | None
    direction: Literal["in", "inout", "out"] = "in"
    keyword_only: bool = False
    default: bool | int | float | None = None

    @property
    def written(self) -> bool:
        return self.direction != "in"


@dataclass(frozen=True)
class Declaration:
    """What a function is declared as; `variables` has the dtypes that each variable may be."""

    text: str
    name: str
    variables: dict[str, tuple[str, ...]]
    arguments: tuple[Argument, ...]
    results: tuple[Argument, ...]

    @property
    def arrays(self) -> tuple[Argument, ...]:
        """The arguments that are arrays."""
        return tuple(it for it in self.arguments if it.shape is not None)

    @property
    def numbers(self) -> tuple[Argument, ...]:
        """The arguments that are numbers."""
        return tuple(it for it in self.arguments if it.shape is None)

    def dtypes(self, given: Mapping[str, str]) -> dict[str, str]:
        """Return the dtype of each variable, from those of the arrays; TypeError if it cannot be."""
        found: dict[str, tuple[str, str]] = {}
        for array in self.arrays:
            dtype = given[array.name]
            allowed = self.variables.get(array.dtype, (array.dtype,))
            if dtype not in allowed:
                raise TypeError(
                    f"{array.name} has dtype {dtype}, but must have {' or '.join(allowed)}"
                )
            first, same = found.setdefault(array.dtype, (array.name, dtype))
            if dtype != same:
                raise TypeError(
                    f"{first} and {array.name} must have the same dtype, not {same} and {dtype}"
                )
        return {variable: dtype for variable, (_, dtype) in found.items()}

    def call(
        self,
        function: Callable[..., Any],
        values: Mapping[str, Any],
        out: Sequence[Any],
        **options: Any,
    ) -> None:
        """Call the function with its arguments, by their names; the results are written to `out`."""
        positional = [values[it.name] for it in self.arguments if not it.keyword_only]
        named = {it.name: values[it.name] for it in self.arguments if it.keyword_only}
        if out:
            named["out"] = out[0] if len(out) == 1 else tuple(out)
        function(*positional, **named, **options)

    def signature(self) -> inspect.Signature:
        """Return the signature that Python has for the function, without ``out`` and ``stream``."""
        return inspect.Signature([_parameter(it) for it in self.arguments])


def declarations() -> dict[str, Declaration]:
    """Return the declarations of the package's functions, by their names."""
    declared = zip(_core.signatures.values(), _core.declared, strict=True)
    return {function.__name__: read(text, function) for text, function in declared}


def summary_of(doc: str | None) -> str:
    """Return what the owner wrote of a function, without the parameters that follow it."""
    return (doc or "").partition("\n\nParameters\n----------\n")[0]


def read(text: str, function: Callable[..., Any]) -> Declaration:
    """Read a signature that the build has accepted; the function that it made has the defaults."""
    head, _, results = text.partition("->")
    found = _HEAD.fullmatch(head.strip())
    if found is None:
        raise ValueError(f"`{text}` is not the signature of a declared function")
    name, variables, arguments = found.groups()
    parameters = inspect.signature(function).parameters
    return Declaration(
        text,
        name,
        _variables(variables or ""),
        tuple(_argument(part, parameters) for part in _split(arguments) if part != "*"),
        tuple(_argument(part, {}, "out") for part in _split(results)),
    )


def _split(text: str) -> list[str]:
    """Split at the commas that are in no parentheses."""
    parts, depth = [""], 0
    for letter in text:
        depth += (letter == "(") - (letter == ")")
        if letter == "," and depth == 0:
            parts.append("")
        else:
            parts[-1] += letter
    return [part.strip() for part in parts if part.strip()]


def _variables(text: str) -> dict[str, tuple[str, ...]]:
    variables: dict[str, tuple[str, ...]] = {}
    name = ""
    for part in _split(text):
        variable, colon, dtype = part.rpartition(":")
        name = variable.strip() if colon else name
        variables[name] = (*variables.get(name, ()), dtype.strip())
    return variables


def _argument(
    text: str, parameters: Mapping[str, inspect.Parameter], direction: Literal["in", "out"] = "in"
) -> Argument:
    found = _ARGUMENT.fullmatch(text)
    if found is None:
        raise ValueError(f"`{text}` is not an argument of a declared function")
    shape, parameter = found["shape"], parameters.get(found["name"])
    default: Any = inspect.Parameter.empty if parameter is None else parameter.default
    return Argument(
        found["name"] or "",
        found["dtype"],
        None if shape is None else tuple("".join(it.split()) for it in _split(shape)),
        found["direction"] or direction,  # type: ignore[arg-type]  # the pattern has no others
        parameter is not None and parameter.kind is parameter.KEYWORD_ONLY,
        None if default is inspect.Parameter.empty else default,
    )


def _parameter(argument: Argument) -> inspect.Parameter:
    return inspect.Parameter(
        argument.name,
        inspect.Parameter.KEYWORD_ONLY
        if argument.keyword_only
        else inspect.Parameter.POSITIONAL_OR_KEYWORD,
        default=inspect.Parameter.empty if argument.default is None else argument.default,
    )
