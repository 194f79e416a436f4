"""`torch.vmap`: one call, in which the batch is a dimension in front of all others."""

from collections.abc import Callable, Sequence
from typing import Any

from ..declaration import Argument, Declaration
from ..extents import Extents
from .kernel import torch
from .state import functorch

_BATCHED = torch._C.DispatchKeySet(torch._C.DispatchKey.FuncTorchBatched)

# Takes the dimension of a batch in each argument, or None, and the arguments.
Rule = Callable[..., Any]


def rule_of(operator: Callable[..., Any], declaration: Declaration) -> Rule:
    """Return a function that calls the operator for a batch, which comes first in what it returns.

    A function of arrays of any shape, which it works on as a whole, is called for each element of the batch.
    """
    positional = declaration.positional
    extents = Extents(declaration)

    def rule(dims: Sequence[int | None], *args: Any, **kwargs: Any) -> Any:
        given = [*zip(positional, args, dims, strict=False)]  # without defaults
        if extents.broadcasts:
            return operator(*_aligned(given, extents), **kwargs)
        if declaration.found:
            raise ValueError(
                f"{declaration.name} finds the size of {declaration.found}, which may differ in a "
                "batch: call it for one element after the other"
            )
        size = next(value.shape[dim] for _, value, dim in given if dim is not None)
        if size == 0:
            raise ValueError(f"{declaration.name}: a batch of 0 elements tells no shape of results")
        outs = [
            operator(
                *[value if dim is None else value.select(dim, i) for _, value, dim in given],
                **kwargs,
            )
            for i in range(size)
        ]
        if isinstance(outs[0], tuple):
            return tuple(map(torch.stack, zip(*outs, strict=True)))
        return torch.stack(outs)

    return rule


def _aligned(given: Sequence[tuple[Argument, Any, int | None]], extents: Extents) -> list[Any]:
    """Return the arguments, with the batch first; dimensions that one lacks come behind it."""
    ranks = {
        it.name: value.dim() - (dim is not None)
        for it, value, dim in given
        if it.shape is not None and value is not None
    }
    padding = extents.padding(ranks)
    aligned = []
    for it, value, dim in given:
        first = value.movedim(dim, 0) if dim else value
        lacks = dim is not None and padding[it.name]
        aligned.append(first[(slice(None), *[None] * lacks, ...)] if lacks else first)
    return aligned


def unwrapped(args: Sequence[Any], level: int) -> tuple[list[Any], list[int | None]]:
    """Return arguments without the batch of a `torch.vmap`, and its dimension in each, None where it is not."""
    values, dims = [], []
    for arg in args:
        is_tensor = isinstance(arg, torch.Tensor)
        value, dim = functorch._unwrap_batched(arg, level) if is_tensor else (arg, None)
        values.append(value)
        dims.append(dim)
    return values, dims


def wrapped(out: Any, level: int) -> Any:
    """Return what an operator returned, whose first dimension is the batch of a `torch.vmap`."""
    if isinstance(out, tuple):
        return tuple([functorch._add_batch_dim(it, 0, level) for it in out])
    return functorch._add_batch_dim(out, 0, level)


def batched_by(operator: Callable[..., Any], rule: Rule) -> Callable[..., Any]:
    """Return what the dispatcher calls for an operator where `torch.vmap` is at work.

    It is what `torch.library.register_vmap` makes, but for tensors alone: for structures of any kind, each
    call takes several times as long.
    """

    def call(*args: Any, **kwargs: Any) -> Any:
        level = functorch.current_level()
        values, dims = unwrapped(args, level)
        with torch._C._ExcludeDispatchKeyGuard(_BATCHED):
            if dims.count(None) == len(dims):  # the batch is an outer one's
                return operator(*values, **kwargs)
            out = rule(dims, *values, **kwargs)
        return wrapped(out, level)

    return call
