"""Arguments that PyTorch's dispatcher would convert with a loss, or refuse with a dump of all it was given."""

from collections.abc import Callable, Mapping, Sequence
from numbers import Number
from typing import Any

from ..declaration import Argument, Declaration
from .batching import number_of
from .derivative import need_gradients
from .kernel import torch
from .state import is_compiling

_OTHERS = {"out", "device"}  # what calls take besides the declared arguments


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
