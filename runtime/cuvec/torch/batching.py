"""`torch.vmap`: one call, in which the batch is a dimension in front of all others."""

from collections.abc import Callable, Iterable, Mapping, Sequence
from typing import Any

from ..declaration import Argument, Declaration
from ..extents import Extents
from .kernel import torch
from .state import functorch

_BATCHED = torch._C.DispatchKeySet(torch._C.DispatchKey.FuncTorchBatched)

# Takes the arguments by position and by name, and the dimension of a batch in each, or None.
Rule = Callable[
    [Sequence[Any], Mapping[str, Any], Sequence[int | None], Mapping[str, int | None]], Any
]


def rule_of(operator: Callable[..., Any], declaration: Declaration) -> Rule:
    """Return a function that calls the operator for a batch, which comes first in what it returns.

    A function of arrays of any shape, which it works on as a whole, is called for each element of the batch, and so is
    any where a number differs.
    """
    positional = declaration.positional
    extents = Extents(declaration)

    def rule(
        args: Sequence[Any],
        kwargs: Mapping[str, Any],
        dims: Sequence[int | None],
        named: Mapping[str, int | None],
    ) -> Any:
        given = [*zip(positional, args, dims, strict=False)]  # without defaults
        numbers = [dim for it, _, dim in given if it.shape is None] + [*named.values()]
        if extents.broadcasts and numbers.count(None) == len(numbers):
            return operator(*_aligned(given, extents), **kwargs)
        if declaration.found:
            raise ValueError(
                f"{declaration.name} finds the size of {declaration.found}, which may differ in a "
                "batch: call it for one element after the other"
            )
        every = [*zip(args, dims, strict=False), *((kwargs[it], dim) for it, dim in named.items())]
        size = next(value.shape[dim] for value, dim in every if dim is not None)
        if size == 0:
            raise ValueError(f"{declaration.name}: a batch of 0 elements tells no shape of results")

        outs = [
            operator(
                *[_element(i, value, dim, it.shape is None) for it, value, dim in given],
                **{it: _element(i, value, named.get(it), True) for it, value in kwargs.items()},
            )
            for i in range(size)
        ]
        if isinstance(outs[0], tuple):
            return tuple(map(torch.stack, zip(*outs, strict=True)))
        return torch.stack(outs)

    return rule


def _element(i: int, value: Any, dim: int | None, is_number: bool) -> Any:
    if dim is None:
        return value
    element = value.select(dim, i)
    return number_of(element) if is_number else element


def number_of(tensor: Any) -> Any:
    """Return the number in a tensor, which is a batch or has a gradient if a transform has made it."""
    return tensor if functorch.is_functorch_wrapped_tensor(tensor) else tensor.item()


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


def unwrapped(args: Iterable[Any], level: int) -> tuple[list[Any], list[int | None]]:
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
            out = rule(values, kwargs, dims, {})
        return wrapped(out, level)

    return call
