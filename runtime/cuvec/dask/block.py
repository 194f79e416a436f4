"""What is done with one chunk of every array."""

from collections.abc import Callable, Mapping
from dataclasses import dataclass, replace
from typing import Any

import numpy as np

from ..array import CuVec
from ..convert import asarray
from ..declaration import Argument, Declaration
from ..extents import Extents, check_value
from ..memory import named

Shapes = Mapping[str, tuple[int, ...]]


def functional(declaration: Declaration) -> Declaration:
    """Return a declaration in which arrays that are written are results, before the others."""
    return replace(
        declaration,
        arguments=tuple(it for it in declaration.arguments if it.direction != "out"),
        results=(*(it for it in declaration.arrays if it.written), *declaration.results),
    )


@dataclass(frozen=True)
class Block:
    """A function with its numbers and dtypes, for chunks; it can be pickled."""

    function: Callable[..., Any]
    declaration: Declaration
    numbers: dict[str, Any]
    dtypes: dict[str, str]

    @property
    def __name__(self) -> str:  # for the names that Dask gives to what it calculates
        return self.declaration.name

    def dtype_of(self, argument: Argument) -> "np.dtype[Any]":
        """Return the dtype of a result."""
        return named(self.dtypes.get(argument.dtype, argument.dtype))

    def shapes_of_results(self, shapes: Shapes) -> list[tuple[int, ...]]:
        """Return the shapes of results from the shapes of inputs; ValueError where these disagree."""
        extents = Extents(functional(self.declaration))
        return extents.results_of(shapes, self.numbers, check_value)

    def __call__(self, *chunks: Any) -> Any:
        declaration = functional(self.declaration)
        inputs = {it.name: chunk for it, chunk in zip(declaration.arrays, chunks, strict=True)}
        ranks = {it.name: len(it.shape or ()) for it in declaration.arrays}
        splits = {name: chunk.ndim - ranks[name] for name, chunk in inputs.items()}
        loop = np.broadcast_shapes(*(inputs[name].shape[:at] for name, at in splits.items()))
        shapes = self.shapes_of_results(
            {name: inputs[name].shape[at:] for name, at in splits.items()}
        )
        results = [
            CuVec((*loop, *shape), self.dtype_of(it))
            for it, shape in zip(declaration.results, shapes, strict=True)
        ]
        leading = {it.name for it in declaration.arrays if it.leading}
        if all(it.leading for it in declaration.results) and all(
            name in leading or at == 0 for name, at in splits.items()
        ):  # the function itself does all of it
            whole = {
                name: _broadcast(inputs[name], at, loop) if name in leading else inputs[name]
                for name, at in splits.items()
            }
            self._call(whole, results)
        else:
            for index in np.ndindex(loop):
                self._call(
                    {name: _at(inputs[name], at, index) for name, at in splits.items()},
                    [result[(*index, ...)] for result in results],
                )
        return results[0] if len(results) == 1 else tuple(results)

    def _call(self, inputs: dict[str, Any], results: list[Any]) -> None:
        """Call the function on the arrays at one index of the axes before its own."""
        arrays = dict(inputs)
        in_place = [it for it in self.declaration.arrays if it.written]
        for argument, result in zip(in_place, results, strict=False):
            if argument.direction == "inout":
                result[...] = asarray(inputs[argument.name])
            arrays[argument.name] = result
        out = results[len(in_place) :]
        self.declaration.call(self.function, {**self.numbers, **arrays}, out)


def _broadcast(chunk: Any, axes: int, loop: tuple[int, ...]) -> Any:
    """Return a chunk whose first axes are broadcast; C-contiguous."""
    whole = np.broadcast_to(chunk, (*loop, *chunk.shape[axes:]))
    return whole if whole.flags.c_contiguous else whole.copy()


def _at(chunk: Any, axes: int, index: tuple[int, ...]) -> Any:
    """Return a chunk at an index of its first axes, which are broadcast; C-contiguous."""
    own = zip(index[len(index) - axes :], chunk.shape[:axes], strict=True)
    part = chunk[(*(0 if size == 1 else i for i, size in own), ...)]
    return part if part.flags.c_contiguous else part.copy()
