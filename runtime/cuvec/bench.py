"""Times a declared function, with arrays made from its declaration: `python benchmarks/bench.py NAME`."""

import sys
from collections.abc import Callable, Iterable, Mapping, Sequence
from timeit import timeit
from typing import Any, NamedTuple

import numpy as np

from . import _core
from .create import empty
from .declaration import ELLIPSIS, NO_DEFAULT, Argument, Declaration, declarations
from .extents import names_of

ROUNDS = 5


class Case(NamedTuple):
    """A call of a function.

    Attributes
    ----------
    call : callable
    sizes : dict
        The sizes of its dimensions, and of leading ones as ``"..."``.
    moved : int
        Bytes of the arrays that it reads, and of those that it writes.
    """

    call: Callable[[], Any]
    sizes: dict[str, int]
    moved: int


def seconds(call: Callable[[], object], duration: float) -> float:
    """Return the time of one call, the least of several rounds after a warm-up."""
    timeit(call, number=3)
    calls = 1
    while (elapsed := timeit(call, number=calls)) < duration / ROUNDS:
        calls *= 2
    return min(elapsed, *(timeit(call, number=calls) for _ in range(ROUNDS - 1))) / calls


def case(name: str, elements: int, dtype: str = "", given: Mapping[str, int] | None = None) -> Case:
    """Return a call with arrays as `values` makes them."""
    functions = {it.__name__: it for it in _core.declared}
    if name not in functions:
        raise ValueError(f"there is no function `{name}`: {', '.join(functions)}")
    declaration = declarations()[name]
    return _case(declaration, functions[name], *values(declaration, elements, dtype, given))


def values(
    declaration: Declaration,
    elements: int,
    dtype: str = "",
    given: Mapping[str, int] | None = None,
) -> tuple[dict[str, Any], dict[str, int]]:
    """Return values for the arguments of a function, and sizes for its dimensions.

    Arrays have about so many elements at most, unless `given` has sizes. Floats are random. Integers are zero, since
    they may be indices. An optional array is None. `dtype` is for the variables that may be of it.
    """
    arrays = [it for it in declaration.arrays if not it.optional]
    shaped = (*arrays, *declaration.results)
    rank = max((len(it.shape or ()) + it.leading for it in shaped), default=1)
    side = max(1, round(elements ** (1 / max(1, rank))))
    names = sorted({it for array in shaped for it in names_of(array)})
    if any(it.leading for it in shaped):
        names.insert(0, ELLIPSIS)
    sizes = dict.fromkeys(names, side) | _defaults(declaration, names) | dict(given or {})
    if unknown := sizes.keys() - {*names}:
        raise ValueError(
            f"{declaration.name} has no dimension `{min(unknown)}`: it has {', '.join(names)}"
        )
    dtypes = {it: dtype if dtype in may else may[0] for it, may in declaration.variables.items()}
    made = {it.name: _number(it, sizes) for it in declaration.numbers}
    made |= {it.name: None for it in declaration.arrays if it.optional}
    made |= {it.name: _array(it, sizes, dtypes) for it in arrays}
    return made, sizes


def _case(
    declaration: Declaration,
    function: Callable[..., Any],
    values: dict[str, Any],
    sizes: dict[str, int],
) -> Case:
    def call() -> Any:
        return declaration.call(function, values, ())

    results = call()
    moved = sum(
        np.asarray(it).nbytes
        for it in (results if isinstance(results, tuple) else [results])
        if it is not None
    )
    for it in declaration.arrays:
        if values[it.name] is not None:
            moved += values[it.name].nbytes * (1 + (it.direction == "inout"))
    return Case(call, sizes, moved)


def _defaults(declaration: Declaration, names: Iterable[str]) -> dict[str, int]:
    """Return the sizes that are arguments with a default."""
    return {
        it.name: it.default
        for it in declaration.numbers
        if it.name in names and it.default is not NO_DEFAULT
    }


def _number(argument: Argument, sizes: Mapping[str, int]) -> Any:
    """Return what a scalar, a struct, an option or a tuple is."""
    if argument.name in sizes:
        return sizes[argument.name]
    if argument.default is not NO_DEFAULT:
        return argument.default
    if argument.choices:
        return argument.choices[0]
    if argument.dtype in _core.structs:
        return np.ones((), _core.structs[argument.dtype])
    return (1,) * argument.items if argument.items else 1


def _array(argument: Argument, sizes: Mapping[str, int], dtypes: Mapping[str, str]) -> Any:
    """Return an array where the functions run; of leading dimensions it has one."""
    leading = (sizes[ELLIPSIS],) if argument.leading else ()
    shape = (*leading, *(size.value(sizes) for size in argument.shape or ()))
    array = empty(shape, dtypes.get(argument.dtype, argument.dtype))
    array[...] = 0
    if array.dtype.kind not in "biu":
        array[...] = np.random.default_rng(0).random(shape)
    array.prefetch("device")
    return array


def table(
    name: str, largest: int, duration: float, dtype: str = "", given: Sequence[str] = ()
) -> None:
    """Print times and bytes per second, for arrays of up to `largest` bytes or for sizes such as ``"n=1000"``.

    What cannot be called ends the program with a message.
    """
    try:
        sizes = {text.partition("=")[0]: int(text.partition("=")[2]) for text in given}
        width = empty(0, dtype or "float32").itemsize
        powers = range(12, largest.bit_length(), 2)
        for elements in [largest // width] if given else [(1 << it) // width for it in powers]:
            made = case(name, elements, dtype, sizes)
            took = seconds(made.call, duration)
            shown = ", ".join(f"{dimension}={size}" for dimension, size in made.sizes.items())
            speed = f"{took * 1e6:>12.1f} µs {made.moved / took / 1e9:>9.2f} GB/s"
            print(f"{made.moved:>14,} bytes {speed}  {shown}", flush=True)
    except (TypeError, ValueError) as error:
        sys.exit(str(error))
