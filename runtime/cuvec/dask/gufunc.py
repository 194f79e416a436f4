"""Declared functions as generalized ufuncs."""

import sys
from collections.abc import Callable, Container, Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any

import numpy as np

from .. import _core
from ..array import CuVec
from ..convert import asarray
from ..declaration import Argument, Declaration, Size, declarations
from ..extents import Extents, check_value, names_of, solved_by
from ..memory import named
from ..optional import library
from ..record import record_of

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


array: Any = library("dask.array", "Dask", "'dask[array]'")


class Gufunc:
    """A function on arrays of Dask, called like the function itself.

    Attributes
    ----------
    signature : str
        In the words of NumPy, such as ``(m,n),(n)->(m)``. A size that is calculated has a made-up name,
        and leading dimensions are the loop dimensions that every such function has.

    Raises
    ------
    ValueError
        Shapes do not agree, or an axis that the function works on is in several chunks.
    TypeError
        An array has a dtype that the function does not have.
    """

    def __init__(self, function: Callable[..., Any], declaration: Declaration) -> None:
        self._function = function
        self._declaration = declaration
        self._functional = functional(declaration)
        self._inputs = self._functional.arrays
        self._results = self._functional.results
        self.signature: str = f"{_shapes(self._inputs)}->{_shapes(self._results)}"
        self.__name__: str = declaration.name

    def __call__(self, *args: Any, **kwargs: Any) -> Any:
        given = self._functional.bound(args, kwargs)
        inputs = [it for it in self._inputs if not (it.optional and given[it.name] is None)]
        arrays = {it.name: array.asarray(given[it.name]) for it in inputs}
        numbers = {name: value for name, value in given.items() if name not in arrays}
        numbers |= self._declaration.chosen(numbers)  # which can be pickled
        dtypes = self._functional.dtypes(
            {name: _name_of(it) for name, it in arrays.items()}, numbers
        )
        self._check_numbers(numbers, dtypes)
        block = Block(self._function, self._declaration, numbers, dtypes)
        outcomes = functional(self._declaration, numbers).results
        if not outcomes:
            raise ValueError(
                f"{self.__name__} returns nothing in this call: give it what it writes"
            )
        like = of_cupy([it._meta for it in arrays.values()])  # the type that Dask takes chunks for
        like = np.empty(0) if like is None else like
        metas = [np.empty_like(like, block.dtype_of(it), shape=(0,)) for it in outcomes]
        sizes = self._sizes_of_results(block, arrays)
        block.check_loops({name: it.shape for name, it in arrays.items()})
        arrays = _in_same_chunks(inputs, arrays)
        results = array.apply_gufunc(
            block,
            f"{_shapes(replace(it, shape=()) for it in inputs)}->{_shapes(outcomes)}",
            *(_not_copied(it, arrays[it.name]) for it in inputs),
            meta=metas[0] if len(metas) == 1 else tuple(metas),
            output_sizes=sizes,
        )
        named = _core.result_types.get(self.__name__)
        if named is None or len(outcomes) > len(self._declaration.results):
            return results
        return named(*results)

    def _check_numbers(self, numbers: Mapping[str, Any], dtypes: Mapping[str, str]) -> None:
        """Raise what a chunk would, before anything is computed."""
        name = self._declaration.name
        for it in self._declaration.numbers:
            if it.choices:
                _core.choice(name, it.name, numbers[it.name])
            elif it.is_struct:
                record_of(it, numbers[it.name])
            else:
                dtype = dtypes.get(it.dtype, it.dtype)
                _core.check_number(name, it.name, dtype, numbers[it.name])

    def _sizes_of_results(self, block: Block, arrays: Mapping[str, Any]) -> dict[str, int]:
        ranks = {it.name: len(it.shape or ()) for it in self._inputs if it.name in arrays}
        shapes = {name: arrays[name].shape for name in ranks}
        own = {name: shape[max(0, len(shape) - ranks[name]) :] for name, shape in shapes.items()}
        for name, shape in own.items():
            if any(np.isnan(size) for size in shape):
                raise ValueError(
                    f"{name} has shape {shapes[name]}, and a call takes sizes that are known: "
                    f"call {name}.compute_chunk_sizes() first"
                )
        found: dict[str, int] = {}
        outcomes = functional(self._declaration, block.numbers).results
        for result, shape in zip(outcomes, block.shapes_of_results(own), strict=True):
            found.update(zip(map(_label, result.shape or ()), shape, strict=True))
        return found


def of_package() -> dict[str, Callable[..., Any]]:
    """Return the functions that can be generalized ufuncs, by their names."""
    functions = zip(_core.declared, declarations().values(), strict=True)
    return {
        declaration.name: _made(Gufunc(function, declaration), declaration)
        for function, declaration in functions
        if not why_not(declaration)
    }


def _made(gufunc: Gufunc, declaration: Declaration) -> Callable[..., Any]:
    """Return a function of Python's, whose parameters `help` shows; it has the attribute `signature`."""

    def call(*args: Any, **kwargs: Any) -> Any:
        return gufunc(*args, **kwargs)

    note = f"The generalized ufunc ``{gufunc.signature}`` of Dask."
    doc = declaration.documented(note, in_place=False)
    module, signature = __name__.rpartition(".")[0], functional(declaration).signature()
    called: Any = declaration.presented(call, module, doc, signature)
    called.signature = gufunc.signature
    return call


def left_out(name: str) -> str:
    """Return why a declared function is no generalized ufunc; empty for other names."""
    declaration = declarations().get(name)
    return f"`{name}` is no generalized ufunc: {why_not(declaration)}" if declaration else ""


def why_not(declaration: Declaration) -> str:
    """Return why a function cannot be a generalized ufunc; empty if it can."""
    changed = functional(declaration)
    if not changed.loops and any(it.leading for it in (*changed.arrays, *changed.results)):
        return "it takes arrays of any shape, use dask.array.map_blocks"
    written = [*(it for it in declaration.arrays if it.written), *declaration.results]
    whole = [it.name or "out" for it in written if not it.leading]
    if whole and any(it.leading for it in (*declaration.arrays, *declaration.results)):
        return f"it writes {whole[0]} once for all leading dimensions, use dask.delayed"
    if any(it.optional and it.direction == "out" for it in declaration.arrays):
        return "it writes an array only if it is given one, use dask.delayed"
    if changed.struct_of_array:
        return f"it has arrays of the struct {changed.struct_of_array}, use dask.delayed"
    if changed.found:
        return f"it finds the size of {changed.found}, use dask.delayed"
    if not changed.arrays:
        return "it reads no array, use dask.delayed"
    always = [it for it in changed.arrays if not it.optional]
    known = {size.text for it in always for size in it.shape or ()}
    known |= {it.name for it in changed.numbers} | set(solved_by(changed))
    if not all(names_of(it) <= known for it in changed.results):
        return "an array that it writes gives a size, use dask.delayed"
    decided = {it.dtype for it in always} | {it.chooses for it in changed.arguments}
    if {it.dtype for it in changed.results} & set(changed.variables) - decided:
        return "an array that it writes gives a dtype, use dask.delayed"
    return "" if changed.results else "it returns nothing, use dask.delayed"


def _not_copied(argument: Argument, given: Any) -> Any:
    """Return an array of the loop dimensions, whose chunks are lists with the chunk that a call takes.

    What Dask does by itself is to concatenate the chunks of all other dimensions, which copies even a single
    one, and through the host if it is a CuVec.

    Raises
    ------
    ValueError
        A dimension of the function is in several chunks.
    """
    own = argument.shape or ()
    if not own:
        return given
    loops = given.ndim - len(own)
    for axis, (size, chunks) in enumerate(zip(own, given.chunks[loops:], strict=True), loops):
        if len(chunks) > 1:
            raise ValueError(
                f"{argument.name} has {len(chunks)} chunks along its dimension {size.text}, but a call "
                f"takes all of it: use {argument.name}.rechunk({{{axis}: -1}}), if that much memory is there"
            )
    return array.blockwise(
        _identity,
        range(loops),
        given,
        range(given.ndim),
        concatenate=False,
        meta=np.empty((0,) * loops, object),
    )


def _in_same_chunks(inputs: Iterable[Argument], arrays: Mapping[str, Any]) -> dict[str, Any]:
    """Return the arrays with their loop dimensions in the same chunks, as Dask does for what is element-wise."""
    given: list[Any] = []
    for it in inputs:
        ndim, own = arrays[it.name].ndim, len(it.shape or ())
        given += [arrays[it.name], (*range(own - ndim, 0), *[(it.name, i) for i in range(own)])]
    return dict(zip(arrays, array.unify_chunks(*given)[1], strict=True))


def _identity(chunk: Any) -> Any:
    return chunk


def _shapes(arguments: Iterable[Argument]) -> str:
    return ",".join(f"({','.join(map(_label, it.shape or ()))})" for it in arguments)


def _name_of(given: Any) -> str:
    dtype: np.dtype[Any] = given.dtype
    return dtype.name if dtype.isnative else dtype.str


def _label(size: Size) -> str:
    """Return a size as the name of a dimension: ``n``, ``3`` and, for ``2*n``, ``_2_times_n``."""
    if len(size.terms) == 1:
        return size.text
    words = {"+": "_plus_", "-": "_minus_", "*": "_times_", "/": "_over_", "(": "_", ")": "_"}
    return "_" + "".join(words.get(letter, letter) for letter in size.text)
