"""What is done with one chunk of every array."""

import sys
from collections.abc import Callable, Container, Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any

import numpy as np

from ..array import CuVec
from ..convert import asarray
from ..declaration import Argument, Declaration
from ..extents import Extents, check_value
from ..memory import named

Shapes = Mapping[str, tuple[int, ...]]


def functional(declaration: Declaration, absent: Container[str] = ()) -> Declaration:
    """Return a declaration in which arrays that are written are results, before the others.

    Those that are absent are None, and no results.
    """
    return replace(
        declaration,
        arguments=tuple(
            replace(it, direction="in") for it in declaration.arguments if it.direction != "out"
        ),
        results=(
            *(it for it in declaration.arrays if it.written and it.name not in absent),
            *declaration.results[: declaration.returned],
        ),
    )


def of_cupy(arrays: Iterable[Any]) -> Any:
    """Return the first array that is one of CuPy's, None if there is none."""
    cls = getattr(sys.modules.get("cupy"), "ndarray", ())
    return next((it for it in arrays if isinstance(it, cls)), None)


def _only(chunk: Any) -> Any:
    while isinstance(chunk, list):
        (chunk,) = chunk
    return chunk


@dataclass(frozen=True)
class Block:
    """A function with its numbers and dtypes, for chunks; it can be pickled.

    Optional arrays that are None are among the numbers. Results are CuPy's, on the GPU of the first chunk
    that is, or else CuVec.
    """

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
        extents = Extents(functional(self.declaration, self.numbers))
        return extents.results_of(shapes, self.numbers, check_value)

    def check_loops(self, shapes: Shapes) -> None:
        """Raise ValueError where loop dimensions cannot be broadcast; those that are not known are NaN."""
        if all(isinstance(size, int) for shape in shapes.values() for size in shape):
            given = [it for it in self.declaration.arguments if it.direction != "out"]
            extents = Extents(replace(self.declaration, arguments=tuple(given)))
            sizes = extents.sizes(shapes, self.numbers, check_value)
            extents.agree(shapes, sizes, check_value)

    def __call__(self, *given: Any) -> Any:
        """Call the function on chunks; each may be in lists, one for each of its own dimensions."""
        chunks = [_only(it) for it in given]
        first = of_cupy(chunks)
        if first is None:
            return self._call(chunks, CuVec, asarray)
        cupy = sys.modules["cupy"]
        with first.device:
            return self._call(chunks, cupy.empty, cupy.asarray)

    def _call(
        self, chunks: Sequence[Any], make: Callable[..., Any], convert: Callable[[Any], Any]
    ) -> Any:
        declaration = functional(self.declaration, self.numbers)
        given = [it for it in declaration.arrays if it.name not in self.numbers]
        inputs = {it.name: chunk for it, chunk in zip(given, chunks, strict=True)}
        shapes = self.shapes_of_results({name: chunk.shape for name, chunk in inputs.items()})
        results = [
            make(shape, self.dtype_of(it))
            for it, shape in zip(declaration.results, shapes, strict=True)
        ]
        arrays = dict(inputs)
        in_place = [
            it for it in self.declaration.arrays if it.written and it.name not in self.numbers
        ]
        for argument, result in zip(in_place, results, strict=False):
            if argument.direction == "inout":
                result[...] = convert(inputs[argument.name])
            arrays[argument.name] = result
        out = results[len(in_place) :]
        self.declaration.call(self.function, {**self.numbers, **arrays}, out)
        return results[0] if len(results) == 1 else tuple(results)
