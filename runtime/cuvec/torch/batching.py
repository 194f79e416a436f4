"""`torch.vmap`: one call, in which the batch is a dimension in front of all others."""

from collections.abc import Callable
from typing import Any

from ..declaration import Declaration
from ..extents import Extents
from .kernel import torch


def vmap_of(operator: Callable[..., Any], declaration: Declaration) -> Callable[..., Any]:
    """Return what `torch.library.register_vmap` takes, for a function that writes no argument.

    A function of arrays of any shape, which it works on as a whole, is called for each element of the batch.
    """
    positional = declaration.positional
    extents = Extents(declaration)

    def call(info: Any, in_dims: tuple[int | None, ...], *args: Any, **kwargs: Any) -> Any:
        size = info.batch_size
        given = [
            (it, value if it.shape is None or dim is None else value.movedim(dim, 0), dim)
            for it, value, dim in zip(positional, args, in_dims, strict=False)  # without defaults
        ]
        if extents.broadcasts:
            out = operator(*_aligned(given), **kwargs)
        elif declaration.found:
            raise ValueError(
                f"{declaration.name} finds the size of {declaration.found}, which may differ in a "
                "batch: call it for one element after the other"
            )
        elif size == 0:
            raise ValueError(f"{declaration.name}: a batch of 0 elements tells no shape of results")
        else:
            outs = [
                operator(
                    *(
                        value if it.shape is None or dim is None else value[i]
                        for it, value, dim in given
                    ),
                    **kwargs,
                )
                for i in range(size)
            ]
            several = isinstance(outs[0], tuple)
            out = tuple(map(torch.stack, zip(*outs, strict=True))) if several else torch.stack(outs)
        return out, (0,) * len(out) if isinstance(out, tuple) else 0

    def _aligned(given: list[tuple[Any, Any, int | None]]) -> list[Any]:
        """Return the arguments; dimensions that a batch lacks come behind its own."""
        padding = extents.padding(
            {
                it.name: value.dim() - (dim is not None)
                for it, value, dim in given
                if it.shape is not None and value is not None
            }
        )
        return [
            value
            if it.shape is None or dim is None
            else value[(slice(None), *[None] * padding[it.name], ...)]
            for it, value, dim in given
        ]

    return call
