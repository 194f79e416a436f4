"""Declarations of functions, as classes: the data that the native module has of each."""

import inspect
import operator
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from functools import cache, cached_property
from typing import Any, Literal

from . import _core
from .derivative import Derivative, Step

_OPERATORS: dict[str, Callable[[Any, Any], Any]] = {
    "+": operator.add,
    "-": operator.sub,
    "*": operator.mul,
    "/": operator.floordiv,
}


_REAL = {"complex64": "float32", "complex128": "float64"}  # the dtypes of their parts


@dataclass(frozen=True)
class Size:
    """The size of an axis: an expression of dimensions.

    Attributes
    ----------
    text : str
        As it is written: ``"2*n-1"``.
    terms : tuple of int and str
        The same in postfix notation: numbers, names of dimensions, and the letters ``+-*/``.
    """

    text: str
    terms: tuple[int | str, ...]

    @property
    def names(self) -> set[str]:
        """The dimensions in it."""
        return {it for it in self.terms if isinstance(it, str) and it not in _OPERATORS}

    def value(self, sizes: Mapping[str, Any]) -> Any:
        """Return its value for these sizes of dimensions; ``/`` rounds down."""
        stack: list[Any] = []
        for term in self.terms:
            if isinstance(term, int):
                stack.append(term)
            elif term in _OPERATORS:
                right, left = stack.pop(), stack.pop()
                stack.append(_OPERATORS[term](left, right))
            else:
                stack.append(sizes[term])
        return stack.pop()

    def solved(self) -> str | None:
        """Return the dimension that the size of an axis gives: the only name there, and not divided."""
        names = [it for it in self.terms if isinstance(it, str) and it not in _OPERATORS]
        return names[0] if len(names) == 1 and "/" not in self.terms else None

    def solution(self, size: Any) -> tuple[Any, Any]:
        """Return what the dimension in `solved` is where the axis has this size, and what is left over."""
        name = self.solved() or ""
        zero = self.value({name: 0})
        slope = self.value({name: 1}) - zero
        rest = size - zero
        return (rest // slope, rest % slope) if slope else (-1, 0)


ELLIPSIS = "..."
NO_DEFAULT = inspect.Parameter.empty


@dataclass(frozen=True)
class Argument:
    """An argument or a result.

    Attributes
    ----------
    name : str
        Empty for a result that has none.
    dtype : str
        A NumPy dtype, or a variable of the declaration.
    leading : bool
        True if an array has any dimensions before the ones in its shape, the same as others that have.
    shape : tuple of Size, or None
        Empty for ``(...)``, and None for a scalar.
    direction : {"in", "inout", "out", "saved"}
        Use of an array; results are ``"out"``, or ``"saved"`` where only the derivative
        sees them.
    keyword_only : bool
    default : bool, int, float, str, tuple, None or `NO_DEFAULT`
    at_most : bool
        True if a result has only as much of its first axis as the function finds.
    optional : bool
        True if an array may be None.
    choices : tuple of str
        What an option may be; empty for others.
    layout : {"", "rows", "strided"}
        Strides that an array may have: none, all but the last dimension's, or any.
    items : int
        How many numbers a tuple has; 0 for others.
    chooses : str
        The variable whose dtype it is; empty for others.
    """

    name: str
    dtype: str
    leading: bool
    shape: tuple[Size, ...] | None
    direction: Literal["in", "inout", "out", "saved"] = "in"
    keyword_only: bool = False
    default: Any = NO_DEFAULT
    at_most: bool = False
    optional: bool = False
    choices: tuple[str, ...] = ()
    layout: Literal["", "rows", "strided"] = ""
    items: int = 0
    chooses: str = ""

    @property
    def written(self) -> bool:
        return self.direction != "in"

    @property
    def is_struct(self) -> bool:
        """True if it is a struct by value."""
        return self.shape is None and self.dtype in _core.structs


@dataclass(frozen=True)
class Declaration:
    """The declaration of a function.

    Attributes
    ----------
    text : str
        The declaration itself.
    name : str
    loops : bool
        True if leading dimensions are a loop's: elements at one of their indices depend on no
        elements at others.
    allow_cuda_graph : bool
        True if a CUDA graph may have calls of it.
    variables : dict
        The dtypes that each variable may be.
    arguments, results : tuple of Argument
        The results that are saved for the derivative come last.
    derivative : Derivative
        Without steps, if it declares none.
    doc : str
        What its author wrote of it, with the arguments and the results, in the form of numpydoc.
    """

    text: str
    name: str
    loops: bool
    allow_cuda_graph: bool
    variables: dict[str, tuple[str, ...]]
    arguments: tuple[Argument, ...]
    results: tuple[Argument, ...]
    derivative: Derivative
    doc: str

    @property
    def arrays(self) -> tuple[Argument, ...]:
        """The arguments that are arrays."""
        return tuple(it for it in self.arguments if it.shape is not None)

    @property
    def needs_no_array(self) -> bool:
        """True if a call need not have any array."""
        return all(it.optional for it in self.arrays)

    @property
    def numbers(self) -> tuple[Argument, ...]:
        """The arguments that are numbers, or structs of numbers."""
        return tuple(it for it in self.arguments if it.shape is None)

    @property
    def positional(self) -> tuple[Argument, ...]:
        """The arguments that may be given by position."""
        return tuple(it for it in self.arguments if not it.keyword_only)

    @property
    def returned(self) -> int:
        """How many of the results callers get."""
        return sum(it.direction != "saved" for it in self.results)

    @property
    def makes_something(self) -> bool:
        """True if it writes an array or returns a result; others are called for their effects."""
        return bool(self.results) or any(it.written for it in self.arrays)

    @property
    def struct_of_array(self) -> str:
        """The name of the struct that an array of it has, empty if none has any."""
        dtypes = (it.dtype for it in (*self.arrays, *self.results))
        return next((it for it in dtypes if it in _core.structs), "")

    @property
    def found(self) -> str:
        """The name of a result whose size the function finds, empty if there is none."""
        return next((it.name or "out" for it in self.results if it.at_most), "")

    def chosen(self, values: Mapping[str, Any]) -> dict[str, str]:
        """Return the dtypes that arguments choose, by their names; TypeError for one that is not a choice."""
        return {
            it.name: it.choices[_core.choice(self.name, it.name, values[it.name])]
            for it in self.arguments
            if it.chooses
        }

    def dtypes(self, given: Mapping[str, str], values: Mapping[str, Any]) -> dict[str, str]:
        """Return the dtype of each variable, and its ``real(T)``, from the arrays' dtypes; TypeError if it cannot be.

        Optional arrays that are None are not among them. `values` has those that arguments choose.
        """
        dtypes = self.chosen(values)
        found = {
            it.chooses: (it.name, dtypes[it.name]) for it in self.arguments if it.name in dtypes
        }
        for array in self.arrays:
            if array.optional and array.name not in given:
                continue
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
        for array in self.arrays:  # optional ones that are None leave the first dtype
            if array.dtype in self.variables:
                found.setdefault(array.dtype, (array.name, self.variables[array.dtype][0]))
        chosen = {variable: dtype for variable, (_, dtype) in found.items()}
        return chosen | {f"real({it})": _REAL.get(dtype, dtype) for it, dtype in chosen.items()}

    def call(
        self,
        function: Callable[..., Any],
        values: Mapping[str, Any],
        out: Sequence[Any],
        **options: Any,
    ) -> Any:
        """Call the function with its arguments, by their names; the results are written to `out`."""
        positional = [values[it.name] for it in self.positional]
        named = {it.name: values[it.name] for it in self.arguments if it.keyword_only}
        if out:
            named["out"] = out[0] if len(out) == 1 else tuple(out)
        return function(*positional, **named, **options)

    def documented(self, note: str, *, in_place: bool = True) -> str:
        """Return the docstring of the function on the arrays of another library, with its declaration and a note."""
        note = f"Declared as ``{self.text}``. {note}"
        if not in_place and any(it.written for it in self.arrays):
            note += " No array changes: what is written is returned, before any results."
        return f"{self.doc}\nNotes\n-----\n{note}"

    def presented(
        self, call: Callable[..., Any], module: str, doc: str, signature: inspect.Signature
    ) -> Callable[..., Any]:
        """Return `call` with the name of the function, and what `help` shows of it in a module for another library."""
        called: Any = call
        called.__name__ = called.__qualname__ = self.name
        called.__module__, called.__doc__, called.__signature__ = module, doc, signature
        return call

    def bound(self, args: Sequence[Any], kwargs: Mapping[str, Any]) -> dict[str, Any]:
        """Return all arguments of a call by their names; TypeError if they are none."""
        try:
            known = self._signature.parameters.keys()
            if unknown := kwargs.keys() - known:
                name = min(unknown)
                similar = _core.similar_name(name, [*known])
                meant = f"; did you mean '{similar}'?" if similar else ""
                raise TypeError(f"got an unexpected keyword argument '{name}'{meant}")
            bound = self._signature.bind(*args, **kwargs)
        except TypeError as error:
            raise TypeError(f"{self.name}() {error}") from None
        bound.apply_defaults()
        return dict(bound.arguments)

    @cached_property
    def _signature(self) -> inspect.Signature:
        return self.signature()

    def signature(self, *more: str) -> inspect.Signature:
        """Return the signature that Python has for the function, without ``out`` and ``stream`` unless `more` has them."""
        added = [inspect.Parameter(it, inspect.Parameter.KEYWORD_ONLY, default=None) for it in more]
        return inspect.Signature([*map(_parameter, self.arguments), *added])


@cache
def declarations() -> dict[str, Declaration]:
    """Return the declarations of the package's functions, by their names."""
    return {declaration.name: declaration for declaration in map(of, _core.specs)}


def effect_of(name: str) -> str:
    """Return why programs of a framework leave a function out; empty for other names.

    A program runs only calls on which its arrays depend: one that makes none could be dropped, or come too late.
    """
    declaration = declarations().get(name)
    if declaration is None or declaration.makes_something:
        return ""
    package = __name__.partition(".cuvec.")[0]
    return f"`{name}` makes no array, so that a program could drop it: call {package}.{name}"


def class_of(name: str) -> str:
    """Return why programs of a framework leave a class out; empty for other names."""
    if all(construct.__name__ != name for construct, _ in _core.classes):
        return ""
    package = __name__.partition(".cuvec.")[0]
    return f"`{name}` is a class with state, which no program traces: construct {package}.{name}"


def struct_of(name: str) -> str:
    """Return why programs of a framework leave a function out that has arrays of structs; empty for other names."""
    declaration = declarations().get(name)
    if declaration is None or not declaration.struct_of_array:
        return ""
    package = __name__.partition(".cuvec.")[0]
    struct = declaration.struct_of_array
    return f"`{name}` has arrays of the struct {struct}, as only NumPy has: call {package}.{name}"


def size_of_result(name: str) -> str:
    """Return why programs whose arrays have sizes that are known before lack a function; empty for other names."""
    declaration = declarations().get(name)
    if declaration is None or not declaration.found:
        return ""
    package = __name__.partition(".cuvec.")[0]
    return (
        f"`{name}` finds the size of {declaration.found} when it runs, and arrays have sizes that are "
        f"known before: call {package}.{name}"
    )


def of(spec: tuple[Any, ...]) -> Declaration:
    """Return the declaration that the native module has as this data."""
    name, text, doc, loops, allow_cuda_graph, variables, arguments, results, steps = spec
    return Declaration(
        text,
        name,
        loops,
        allow_cuda_graph,
        variables,
        tuple(map(_argument, arguments)),
        tuple(map(_argument, results)),
        Derivative(tuple([Step(*step) for step in steps])),
        doc,
    )


def _argument(data: tuple[Any, ...]) -> Argument:
    name, dtype, direction, shape, keyword_only, default, *form = data
    sizes = tuple([Size(*size) for size in shape or ()])
    leading = bool(sizes) and sizes[0].text == ELLIPSIS
    own = sizes[1:] if leading else sizes
    return Argument(
        name,
        dtype,
        leading,
        None if shape is None else own,
        direction,
        keyword_only,
        default[0] if default else NO_DEFAULT,
        *form,
    )


def _parameter(argument: Argument) -> inspect.Parameter:
    return inspect.Parameter(
        argument.name,
        inspect.Parameter.KEYWORD_ONLY
        if argument.keyword_only
        else inspect.Parameter.POSITIONAL_OR_KEYWORD,
        default=argument.default,
    )
