"""The shapes of results, calculated from those of arguments as a declaration says."""

import ast
import operator
from collections.abc import Callable, Mapping, Sequence
from functools import cache
from typing import Any

from .declaration import ANY_SHAPE, Argument, Declaration

# Sizes are integers, or what stands for them while a program is traced.
Shape = Sequence[Any]
Sizes = Mapping[str, Any]
Check = Callable[[Any, str], object]

_OPERATORS: dict[type[ast.operator], Callable[[Any, Any], Any]] = {
    ast.Add: operator.add,
    ast.Sub: operator.sub,
    ast.Mult: operator.mul,
    ast.Div: operator.floordiv,
}


def check_value(condition: Any, message: str) -> None:
    """Raise ValueError unless a condition holds."""
    if not condition:
        raise ValueError(message)


class Extents:
    """The sizes of a declaration's dimensions, and the shapes of its results.

    `shapes` are those of the arguments that are arrays, `numbers` those that are numbers, by name.
    """

    def __init__(self, declaration: Declaration) -> None:
        self.declaration = declaration
        self._arrays = declaration.arrays
        self._shaped = next((it.name for it in self._arrays if it.shape == ANY_SHAPE), "")
        names = {name for it in (*self._arrays, *declaration.results) for name in names_of(it)}
        self._numbers = [it.name for it in declaration.numbers if it.name in names]

    def sizes(self, shapes: Mapping[str, Shape], numbers: Sizes, check: Check) -> dict[str, Any]:
        """Return the size of every dimension; ValueError for another number of axes."""
        sizes = {name: numbers[name] for name in self._numbers}
        for name, size in sizes.items():
            check(size >= 0, f"{name} is a size and cannot be {size}")
        for array in self._arrays:
            extents = array.shape or ()
            if extents == ANY_SHAPE:
                continue
            shape = shapes[array.name]
            if len(shape) != len(extents):
                raise ValueError(_rank(array, shape))
            for extent, size in zip(extents, shape, strict=True):
                sizes.setdefault(extent, size)  # those that are no names are never asked for
        return sizes

    def agree(self, shapes: Mapping[str, Shape], sizes: Sizes, check: Check) -> None:
        """Check that every argument has the shape that was declared."""
        for array in self._arrays:
            shape = shapes[array.name]
            if array.shape == ANY_SHAPE:
                wanted = tuple(shapes[self._shaped])
                same = len(shape) == len(wanted)
                check(same, f"{array.name} and {self._shaped} must have the same shape")
            else:
                wanted = _evaluate(array, sizes)
            for has, size in zip(shape, wanted, strict=True):
                check(has == size, f"{array.name} has shape {tuple(shape)}, but must have {wanted}")

    def results(
        self, shapes: Mapping[str, Shape], sizes: Sizes, check: Check
    ) -> list[tuple[Any, ...]]:
        """Return the shape of each result, ``()`` for a number; ValueError if it is negative."""
        found = []
        for result in self.declaration.results:
            if result.shape == ANY_SHAPE:
                found.append(tuple(shapes[self._shaped]))
                continue
            shape = _evaluate(result, sizes)
            for extent, size in zip(result.shape or (), shape, strict=True):
                if not extent.isidentifier():
                    check(size >= 0, f"the extent {extent} of a result is negative")
            found.append(shape)
        return found


def _evaluate(argument: Argument, sizes: Sizes) -> tuple[Any, ...]:
    try:
        return tuple(_compiled(extent)(sizes) for extent in argument.shape or ())
    except ZeroDivisionError:
        raise ValueError("an extent is divided by zero") from None


def _rank(array: Argument, shape: Shape) -> str:
    extents = array.shape or ()
    declared = f"({', '.join(extents)}{',' if len(extents) == 1 else ''})"
    dimensions = "dimension" if len(extents) == 1 else "dimensions"
    return (
        f"{array.name} must have {len(extents)} {dimensions} {declared}, not shape {tuple(shape)}"
    )


def names_of(argument: Argument) -> set[str]:
    """Return the names in the extents of an argument."""
    extents = () if argument.shape == ANY_SHAPE else argument.shape or ()
    trees = [ast.walk(ast.parse(extent, mode="eval")) for extent in extents]
    return {node.id for tree in trees for node in tree if isinstance(node, ast.Name)}


@cache
def _compiled(extent: str) -> Callable[[Sizes], Any]:
    return _of(ast.parse(extent, mode="eval").body)


def _of(node: ast.expr) -> Callable[[Sizes], Any]:
    if isinstance(node, ast.Name):
        return operator.itemgetter(node.id)
    if isinstance(node, ast.Constant):
        value = node.value
        return lambda _sizes: value
    if isinstance(node, ast.BinOp):
        apply, left, right = _OPERATORS[type(node.op)], _of(node.left), _of(node.right)
        return lambda sizes: apply(left(sizes), right(sizes))
    raise ValueError(f"`{ast.unparse(node)}` is not an extent")
