"""`torch.vmap`: one call where leading dimensions take in the batch, else a call for each element of it."""

from collections.abc import Callable
from typing import Any

from ..declaration import Declaration
from .kernel import torch


def vmap_of(operator: Callable[..., Any], declaration: Declaration) -> Callable[..., Any]:
    """Return what `torch.library.register_vmap` takes, for a function that writes no argument."""
    positional = [it for it in declaration.arguments if not it.keyword_only]
    is_folded = declaration.loops and all(it.leading for it in declaration.results)

    def call(info: Any, in_dims: tuple[int | None, ...], *args: Any, **kwargs: Any) -> Any:
        size = info.batch_size
        moved = [
            value if dim is None else value.movedim(dim, 0)
            for value, dim in zip(args, in_dims, strict=True)
        ]
        given = list(zip(positional, moved, in_dims, strict=False))
        if is_folded and all(it.leading or dim is None for it, _, dim in given):
            whole = [
                value.expand(size, *value.shape) if it.leading and dim is None else value
                for it, value, dim in given
            ]
            out = operator(*whole, **kwargs)
        elif size == 0:
            raise ValueError(f"{declaration.name}: a batch of 0 elements tells no shape of results")
        else:
            outs = [
                operator(*(value if dim is None else value[i] for _, value, dim in given), **kwargs)
                for i in range(size)
            ]
            several = isinstance(outs[0], tuple)
            out = tuple(map(torch.stack, zip(*outs, strict=True))) if several else torch.stack(outs)
        return out, (0,) * len(out) if isinstance(out, tuple) else 0

    return call
