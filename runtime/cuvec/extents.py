"""The shapes of results, calculated from those of arguments as a declaration says."""

import ast
import operator
from collections.abc import Callable, Mapping, Sequence
from typing import Any

from .declaration import ANY_SHAPE, Argument, Declaration

# Sizes are integers, or what stands for them while a program is traced.
Shape = Sequence[Any]
Sizes = Mapping[str, Any]
Check = Callable[[Any, str], object]
Compiled = Callable[[Sizes], Any]

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

    `shapes` are those of the arguments that are arrays, `numbers` those that are numbers, by name; there
    may be more in both.
    """

    def __init__(self, declaration: Declaration) -> None:
        shaped = [it for it in declaration.arrays if it.shape != ANY_SHAPE]
        of_any_shape = [it for it in declaration.arrays if it.shape == ANY_SHAPE]
        self._any_shape = tuple(it.name for it in of_any_shape)
        self._arrays = tuple((it, it.shape or (), _compiled(it)) for it in shaped)
        self._results = tuple((it, _compiled(it)) for it in declaration.results)
        names = {name for it in (*shaped, *declaration.results) for name in names_of(it)}
        self.numbers_that_give_sizes = tuple(
            it.name for it in declaration.numbers if it.name in names
        )

    def results_of(
        self, shapes: Mapping[str, Shape], numbers: Sizes, check: Check
    ) -> list[tuple[Any, ...]]:
        """Return the shapes of the results of a call, whose arguments are checked."""
        sizes = self.sizes(shapes, numbers, check)
        self.agree(shapes, sizes, check)
        return self.results(shapes, sizes, check)

    def sizes(self, shapes: Mapping[str, Shape], numbers: Sizes, check: Check) -> dict[str, Any]:
        """Return the size of every dimension; ValueError for another number of axes."""
        sizes: dict[str, Any] = {}
        for array, extents, _ in reversed(self._arrays):  # what the first one says is right
            shape = shapes[array.name]
            if len(shape) != len(extents):
                raise ValueError(_rank(array, shape))
            sizes.update(zip(extents, shape, strict=True))
        for name in self.numbers_that_give_sizes:
            sizes[name] = numbers[name]
            check(sizes[name] >= 0, f"{name} is a size and cannot be {sizes[name]}")
        return sizes

    def agree(self, shapes: Mapping[str, Shape], sizes: Sizes, check: Check) -> None:
        """Check that every argument has the shape that was declared."""
        wanted = [(array.name, _evaluate(compiled, sizes)) for array, _, compiled in self._arrays]
        wanted += [(name, tuple(shapes[self._any_shape[0]])) for name in self._any_shape]
        for name, shape in wanted:
            found = tuple(shapes[name])
            message = f"{name} has shape {found}, but must have {shape}"
            check(len(found) == len(shape), message)
            for has, size in zip(found, shape, strict=True):
                check(has == size, message)

    def results(
        self, shapes: Mapping[str, Shape], sizes: Sizes, check: Check
    ) -> list[tuple[Any, ...]]:
        """Return the shape of each result, ``()`` for a number; ValueError if it is negative."""
        return [
            tuple(shapes[self._any_shape[0]])
            if result.shape == ANY_SHAPE
            else _checked(result, _evaluate(compiled, sizes), check)
            for result, compiled in self._results
        ]


def names_of(argument: Argument) -> set[str]:
    """Return the names in the extents of an argument."""
    extents = () if argument.shape == ANY_SHAPE else argument.shape or ()
    trees = [ast.walk(ast.parse(extent, mode="eval")) for extent in extents]
    return {node.id for tree in trees for node in tree if isinstance(node, ast.Name)}


def _evaluate(compiled: Sequence[Compiled], sizes: Sizes) -> tuple[Any, ...]:
    try:
        return tuple([extent(sizes) for extent in compiled])
    except ZeroDivisionError:
        raise ValueError("an extent is divided by zero") from None


def _checked(result: Argument, shape: tuple[Any, ...], check: Check) -> tuple[Any, ...]:
    for extent, size in zip(result.shape or (), shape, strict=True):
        if not extent.isalnum():  # it is calculated
            name = result.name or "out"
            check(size >= 0, f"the extent {extent} of {name} is negative")
    return shape


def _rank(array: Argument, shape: Shape) -> str:
    extents = array.shape or ()
    declared = f"({', '.join(extents)}{',' if len(extents) == 1 else ''})"
    dimensions = "dimension" if len(extents) == 1 else "dimensions"
    return (
        f"{array.name} must have {len(extents)} {dimensions} {declared}, not shape {tuple(shape)}"
    )


def _compiled(argument: Argument) -> tuple[Compiled, ...]:
    extents = () if argument.shape == ANY_SHAPE else argument.shape or ()
    return tuple(_of(ast.parse(extent, mode="eval").body) for extent in extents)


def _of(node: ast.expr) -> Compiled:
    if isinstance(node, ast.Name):
        return operator.itemgetter(node.id)
    if isinstance(node, ast.Constant):
        value = node.value
        return lambda _sizes: value
    if isinstance(node, ast.BinOp):
        apply, left, right = _OPERATORS[type(node.op)], _of(node.left), _of(node.right)
        return lambda sizes: apply(left(sizes), right(sizes))
    raise ValueError(f"`{ast.unparse(node)}` is not an extent")
