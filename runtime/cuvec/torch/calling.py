"""The functions that users call: one of Python's for all that a declaration asks of them, as each takes its time."""

from collections.abc import Callable, Mapping, Sequence
from numbers import Number
from typing import Any

from .. import _core
from ..declaration import Argument, Declaration
from ..record import numbers_of
from .batching import number_of
from .derivative import need_gradients
from .kernel import torch
from .state import is_compiling, is_transformed

_OTHERS = {"out", "device"}  # options of calls, besides the declared arguments


def number_reader(
    declaration: Declaration,
) -> Callable[[tuple[Any, ...], dict[str, Any]], tuple[tuple[Any, ...], dict[str, Any]]] | None:
    """Return a function that checks the tensors that are given for numbers; None where there are no numbers.

    A number has no gradient: TypeError if one is wanted of it, where the dispatcher would drop it with a warning.
    """
    numbers = {
        it.name
        for it in declaration.arguments
        if it.shape is None and not it.choices and not it.is_struct
    }
    places = [
        (place, it.name) for place, it in enumerate(declaration.positional) if it.name in numbers
    ]
    if not numbers:
        return None

    def read(
        args: tuple[Any, ...], kwargs: dict[str, Any]
    ) -> tuple[tuple[Any, ...], dict[str, Any]]:
        for place, name in places:
            if place >= len(args):
                break
            value = args[place]
            if isinstance(value, (torch.Tensor, tuple, list)):
                args = (*args[:place], _number(name, value), *args[place + 1 :])
        for name, value in kwargs.items():
            if name in numbers and isinstance(value, (torch.Tensor, tuple, list)):
                kwargs = {**kwargs, name: _number(name, value)}
        return args, kwargs

    return read


def _number(name: str, value: Any) -> Any:
    if isinstance(value, (tuple, list)):
        return [_number(name, it) if isinstance(it, torch.Tensor) else it for it in value]
    needs_gradient = value.requires_grad if is_compiling() else need_gradients([value])
    if needs_gradient and torch.is_grad_enabled():
        raise TypeError(
            f"{name} is a number, which has no gradient: pass {name}.detach(), or declare it as an "
            f"array, `{name}: T(...)`"
        )
    if value.dim() > 0:
        raise TypeError(f"{name} must be a number, not a tensor of shape {tuple(value.shape)}")
    return value.item() if is_compiling() else number_of(value)


def refusal(declaration: Declaration, args: Sequence[Any], kwargs: Mapping[str, Any]) -> str:
    """Return what is wrong with the kinds of the arguments; empty if nothing is."""
    named = {name: it for name, it in kwargs.items() if name not in _OTHERS}
    try:
        given = declaration.signature().bind(*args, **named).arguments
    except TypeError as error:
        return f"{declaration.name}() {error}"
    wrong = (_wrong(it, given[it.name]) for it in declaration.arguments if it.name in given)
    return next(filter(None, wrong), "")


def _wrong(argument: Argument, value: Any) -> str:
    name, kind = argument.name, type(value).__name__
    if isinstance(value, torch.Tensor) or (value is None and argument.optional):
        return ""
    if argument.shape is not None:
        hint = "" if value is None else f"; pass torch.as_tensor({name})"
        return f"{name} must be a tensor, not {kind}{hint}"
    is_one = not (argument.choices or argument.is_struct or argument.items)
    if is_one and not isinstance(value, Number):
        return f"{name} must be a number, not {kind}"
    return ""


def calling(
    operator: Callable[..., Any],
    declaration: Declaration,
    transformed: Callable[..., Any] | None = None,
    into: Callable[..., Any] | None = None,
) -> Callable[..., Any]:
    """Return a function that calls the operator, or what takes its place where `torch.func` is at work.

    It takes the dtypes of any library and structs, returns several results in a named tuple, and none that is saved. With `out`,
    where there is an operator for that, it calls `into`.
    """
    translated = {it.name: it for it in declaration.arguments if it.chooses or it.is_struct}
    positional = [it.name for it in declaration.positional]
    returned, result_type = declaration.returned, _core.result_types.get(declaration.name)
    has_more = result_type is not None or returned < len(declaration.results)
    read = number_reader(declaration)

    def taken(name: str, value: Any) -> Any:
        if name not in translated or isinstance(value, torch.dtype):
            return value
        argument = translated[name]
        if argument.is_struct:
            return _numbers_of(argument, value)
        choices = argument.choices
        if not (isinstance(value, str) and value in choices):  # which a compiler can look into
            value = choices[_core.choice(declaration.name, name, value)]
        return getattr(torch, value)

    def called(*args: Any, **kwargs: Any) -> Any:
        if into is not None and (out := kwargs.pop("out", None)) is not None:
            into(*args, **kwargs, out=out)
            return out
        if transformed is not None and not is_compiling() and is_transformed():
            out = transformed(*args, **kwargs)
        else:
            out = operator(*args, **kwargs)
        return answer(out, returned, result_type) if has_more else out

    def call(*args: Any, **kwargs: Any) -> Any:
        if translated:
            passed = [taken(name, value) for name, value in zip(positional, args, strict=False)]
            args = (*passed, *args[len(passed) :])
            kwargs = {name: taken(name, value) for name, value in kwargs.items()}
        if read is not None:
            args, kwargs = read(args, kwargs)
        if is_compiling():
            return called(*args, **kwargs)
        try:
            return called(*args, **kwargs)
        except RuntimeError:  # whose message may hold all elements of a list
            if why := refusal(declaration, args, kwargs):
                raise TypeError(why) from None
            raise

    return call


def _numbers_of(argument: Argument, value: Any) -> list[Any]:
    """Return the numbers of a struct. While PyTorch compiles, a dict is not checked: the kernel does that."""
    names = _core.structs[argument.dtype].names or ()
    if is_compiling() and isinstance(value, dict) and value.keys() == set(names):
        return [number for name in names for number in _leaves(value[name])]
    return numbers_of(argument, value)


def _leaves(value: Any) -> list[Any]:
    if isinstance(value, (list, tuple)):
        return [leaf for item in value for leaf in _leaves(item)]
    return [value]


def answer(out: tuple[Any, ...], returned: int, result_type: Callable[..., Any] | None) -> Any:
    """Return so many of the results of an operator, in their named tuple if there is one."""
    out = out[:returned]
    if result_type is not None:
        return result_type(*out)
    return out[0] if len(out) == 1 else out
