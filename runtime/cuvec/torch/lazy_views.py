"""Tensors that PyTorch conjugates or negates when they are read, as arguments that are written."""

from collections.abc import Callable
from typing import Any

from ..declaration import Declaration
from .kernel import torch


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
