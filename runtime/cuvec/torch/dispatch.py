"""Functions that PyTorch's dispatcher calls before an operator: for autocast, and for tensors that are conjugated or negated when read.

Autocast: PyTorch casts the arguments of its own operators by lists. Here the declaration says what is possible. Tensors of
one variable become the widest of their dtypes, or the next wider one that the function has. Written tensors
are not cast, and nothing loses bits.
"""

from collections.abc import Callable, Mapping
from functools import reduce
from typing import Any

from ..declaration import Declaration
from .kernel import torch


def autocast_of(
    operator: Callable[..., Any], declaration: Declaration, device: str
) -> Callable[..., Any]:
    """Return what the dispatcher calls for an operator while autocast is enabled for a type of devices."""
    positional = [it.name for it in declaration.positional]
    arrays = {it.name for it in declaration.arrays}

    def call(*args: Any, **kwargs: Any) -> Any:
        passed = {**dict(zip(positional, args, strict=False)), **kwargs}
        tensors = {name: it for name, it in passed.items() if name in arrays and it is not None}
        passed.update(_cast(declaration, tensors))
        with torch.autocast(device, enabled=False):
            return operator(
                *[passed.pop(name) for name, _ in zip(positional, args, strict=False)], **passed
            )

    return call


def _cast(declaration: Declaration, tensors: Mapping[str, Any]) -> dict[str, Any]:
    """Return the tensors; all of one variable have one dtype, if there is one for them."""
    cast = dict(tensors)
    for dtype in {it.dtype for it in declaration.arrays if it.name in tensors}:
        group = [it for it in declaration.arrays if it.dtype == dtype and it.name in tensors]
        written = {tensors[it.name].dtype for it in group if it.written}
        allowed = declaration.variables.get(dtype, (dtype,))
        wider = written or {getattr(torch, it, None) for it in allowed}
        wanted = _wide_enough({tensors[it.name].dtype for it in group}, wider)
        if wanted is not None:
            cast.update({it.name: tensors[it.name].to(wanted) for it in group})
    return cast


def _wide_enough(given: set[Any], allowed: set[Any]) -> Any:
    """Return the narrowest float that loses nothing of those that are given; None without one."""
    if not all(it.is_floating_point and it.itemsize > 1 for it in given):
        return None
    widest = reduce(torch.promote_types, given)
    floats = [it for it in allowed if it is not None and it.is_floating_point and it.itemsize > 1]
    floats = [it for it in floats if torch.promote_types(it, widest) == it]
    return min(floats, key=lambda it: it.itemsize, default=None)


def resolving(operator: Callable[..., Any], declaration: Declaration) -> Callable[..., Any]:
    """Return what the dispatcher calls for an operator that writes arguments, if one is such a tensor.

    PyTorch's own way expects that the operator returns what it writes.
    """
    positional = [it.name for it in declaration.positional]
    written = {it.name for it in declaration.arrays if it.written}

    def call(*args: Any, **kwargs: Any) -> Any:
        copies: list[tuple[Any, Any]] = []

        def resolved(name: str, value: Any) -> Any:
            if not isinstance(value, torch.Tensor):
                return value
            plain = value.resolve_conj().resolve_neg()
            if plain is not value and name in written:
                copies.append((value, plain))
            return plain

        returned = operator(
            *map(resolved, positional, args),
            **{name: resolved(name, value) for name, value in kwargs.items()},
        )
        for value, plain in copies:
            value.copy_(plain)
        return returned

    return call
