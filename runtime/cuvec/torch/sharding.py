"""Rules for DTensors: to import this module registers them, which takes `torch.distributed.tensor`.

A function keeps tensors sharded along dimensions that are loops; those that have others sharded are
gathered first, and functions of whole arrays get whole ones. PyTorch takes no rules for functions that write
their arguments, or whose first argument is a scalar.
"""

from collections.abc import Callable, Iterator
from typing import Any

from ..declaration import Declaration, declarations
from ..extents import Extents
from ..optional import library
from .kernel import torch
from .operators import NAMESPACE, functions

_tensor = library("torch.distributed.tensor", "PyTorch with torch.distributed", "torch")
_experimental = library("torch.distributed.tensor.experimental", "PyTorch 2.5", "torch>=2.5")


def shardings_of(declaration: Declaration) -> Callable[..., Any]:
    """Return what `register_sharding` takes: the placements of results and arguments that a function can work on."""
    extents = Extents(declaration)
    positional = declaration.positional
    named = {it.name: it for it in declaration.arguments}
    returned = len(declaration.results)

    def shardings(*args: Any, **kwargs: Any) -> list[tuple[list[Any], list[Any]]]:
        given = [*zip(positional, args, strict=False)]
        given += [(named[name], it) for name, it in kwargs.items() if name in named]
        # of each array the sizes of its loops, and None for what is no array
        loops = [
            tuple(it.shape)[: len(it.shape) - len(argument.shape)]
            if argument.shape is not None and it is not None
            else None
            for argument, it in given
        ]
        most = max((len(it) for it in loops if it is not None), default=0)
        dims = range(-most, 0) if extents.broadcasts else ()
        return [
            ([place] * returned, [*_placed(loops, dim)])
            for dim in (None, *dims)
            for place in [_placement(None if dim is None else most + dim)]
        ]

    return shardings


def _placed(loops: list[tuple[int, ...] | None], dim: int | None) -> Iterator[Any]:
    """Return where arguments are if a loop, counted from the last, is sharded, or none is."""
    for sizes in loops:
        if sizes is None:
            yield None
        elif dim is None or -dim > len(sizes) or sizes[dim] == 1:
            yield _placement(None)
        else:
            yield _placement(len(sizes) + dim)


def _placement(dim: int | None) -> Any:
    return _tensor.Replicate() if dim is None else _tensor.Shard(dim)


def _may_have_rules(declaration: Declaration) -> bool:
    writes = any(it.written for it in declaration.arrays)
    return not writes and declaration.arguments[:1] == declaration.arrays[:1] != ()


for _name, _declaration in declarations().items():
    if _name in functions and not _declaration.found and _may_have_rules(_declaration):
        _operator = getattr(getattr(torch.ops, NAMESPACE), _name).default
        _experimental.register_sharding(_operator)(shardings_of(_declaration))
