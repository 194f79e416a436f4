"""The shapes of results, calculated from the shapes of arguments as a declaration says."""

from collections.abc import Callable, Mapping, Sequence
from typing import Any

from .declaration import ELLIPSIS, Argument, Declaration, Size

# Sizes are integers, or what stands for them while a program is traced.
Shape = Sequence[Any]
Sizes = Mapping[str, Any]
Check = Callable[[Any, str], object]


def check_value(condition: Any, message: str) -> None:
    """Raise ValueError unless a condition holds."""
    if not condition:
        raise ValueError(message)


class Extents:
    """The sizes of a declaration's dimensions, and the shapes of its results.

    Dimensions in front of the declared ones are broadcast, unless a function works on leading ones as a whole.
    `shapes` has the shapes of arrays, `numbers` the values of scalars, by the argument's name; there
    may be more in both. Optional arrays that are None are not there.
    """

    def __init__(self, declaration: Declaration) -> None:
        shaped = (*declaration.arrays, *declaration.results)
        self._arrays = tuple((it, it.shape or ()) for it in declaration.arrays)
        self._results = declaration.results
        folds = any(it.leading for it in shaped)
        self.broadcasts: bool = not declaration.found and (
            not folds or (declaration.loops and all(it.leading for it in shaped if it.written))
        )
        names = {name for it in shaped for name in names_of(it)}
        self._solved = solved_by(declaration)
        self.numbers_that_give_sizes: tuple[str, ...] = tuple(
            it.name for it in declaration.numbers if it.name in names
        )

    def results_of(
        self, shapes: Mapping[str, Shape], numbers: Sizes, check: Check
    ) -> list[tuple[Any, ...]]:
        """Return the shapes of the results of a call, whose arguments are checked."""
        sizes = self.sizes(shapes, numbers, check)
        self.agree(shapes, sizes, check)
        return self.results(shapes, sizes, check)

    def _given(
        self, shapes: Mapping[str, Shape]
    ) -> list[tuple[Argument, tuple[Size, ...], tuple[Any, ...]]]:
        """Return the arrays of a call, with what they are declared with and what they have; TypeError if one is None."""
        try:
            return [
                (it, own, tuple(shapes[it.name]))
                for it, own in self._arrays
                if it.name in shapes or not it.optional
            ]
        except KeyError as error:
            raise TypeError(f"{error.args[0]} must be an array, not NoneType") from None

    def sizes(self, shapes: Mapping[str, Shape], numbers: Sizes, check: Check) -> dict[str, Any]:
        """Return the size of every dimension; ValueError for another number of dimensions."""
        sizes: dict[str, Any] = {}
        for array, declared, shape in reversed(self._given(shapes)):  # the first one is right
            first = len(shape) - len(declared)
            if first < 0 or (first > 0 and not (array.leading or self.broadcasts)):
                raise ValueError(_rank(array, shape))
            sizes.update(zip([it.text for it in declared], shape[first:], strict=True))
        for name in self.numbers_that_give_sizes:
            sizes[name] = numbers[name]
            check(sizes[name] >= 0, f"{name} is a size and cannot be {sizes[name]}")
        for name, (array, axis) in self._solved.items():
            shape, own = tuple(shapes[array.name]), array.shape or ()
            size = shape[len(shape) - len(own) + axis]
            message = f"{array.name} has shape {shape}, but {own[axis].text} cannot be {size}"
            sizes[name], rest = own[axis].solution(size)
            check(rest == 0, message)
            check(sizes[name] >= 0, message)
        return sizes

    def agree(self, shapes: Mapping[str, Shape], sizes: Sizes, check: Check) -> None:
        """Check that every argument has the shape that was declared."""
        common = self.common(shapes, check)
        for array, declared, found in self._given(shapes):
            own = _evaluate(declared, sizes)
            first = len(found) - len(own)
            leading = found[:first]
            is_whole = array.written or not self.broadcasts
            if is_whole and (array.leading or self.broadcasts):
                leading = common
            shape = (*leading, *own)
            of_own = f"{array.name} has shape {found}, but must have {shape}"
            of_leading = of_own
            if array.written:
                of_leading = f"{array.name} is written and must have shape {shape}, not {found}"
            check(len(found) == len(shape), of_leading)
            for axis, (has, size) in enumerate(zip(found, shape, strict=False)):
                check(has == size, of_leading if axis < len(leading) else of_own)

    def results(
        self, shapes: Mapping[str, Shape], sizes: Sizes, check: Check
    ) -> list[tuple[Any, ...]]:
        """Return the shape of each result, ``()`` for a number; ValueError if it is negative."""
        common = self.common(shapes, check)
        return [
            (
                *(common if result.leading or self.broadcasts else ()),
                *_checked(result, _evaluate(result.shape or (), sizes), check),
            )
            for result in self._results
        ]

    def padding(self, ranks: Mapping[str, int]) -> dict[str, int]:
        """Return how many dimensions arrays of these ranks lack to have as many in front of the declared ones.

        With so many more of them, what `vmap` puts in front of all is in the same place.
        """
        extra = {it.name: ranks[it.name] - len(own) for it, own in self._arrays if it.name in ranks}
        most = max(extra.values(), default=0)
        return {name: most - own for name, own in extra.items()}

    def common(self, shapes: Mapping[str, Shape], check: Check) -> tuple[Any, ...]:
        """Return the dimensions in front of the declared ones, broadcast if they are."""
        common: tuple[Any, ...] = ()
        first = None
        for array, declared, shape in self._given(shapes):
            if not (array.leading or self.broadcasts):
                continue
            mine = shape[: len(shape) - len(declared)]
            if first is None:
                first, common = array, mine
            elif self.broadcasts:
                message = (
                    f"{first.name} and {array.name} cannot be broadcast together, with shapes "
                    f"{tuple(shapes[first.name])} and {shape}"
                )
                common = _broadcast(common, mine, check, message)
        return common


def solved_by(declaration: Declaration) -> dict[str, tuple[Argument, int]]:
    """Return the arrays, and the axes there, that give dimensions which nothing but an expression gives."""
    known = {it.name for it in declaration.numbers}
    known |= {size.text for it in declaration.arrays for size in it.shape or ()}
    found: dict[str, tuple[Argument, int]] = {}
    for array in declaration.arrays:
        for axis, size in enumerate(array.shape or ()):
            name = size.solved()
            if name is not None and name not in known:
                found.setdefault(name, (array, axis))
    return found


def names_of(argument: Argument) -> set[str]:
    """Return the names of dimensions in the shape of an argument."""
    return {name for size in argument.shape or () for name in size.names}


def _broadcast(
    one: tuple[Any, ...], other: tuple[Any, ...], check: Check, message: str
) -> tuple[Any, ...]:
    """Return two shapes broadcast together. Of a size that is not known yet, it is not said to be one."""
    short, long = sorted((one, other), key=len)
    new = len(long) - len(short)
    sizes = list(long[:new])
    for mine, its in zip(long[new:], short, strict=True):
        if isinstance(mine, int) and mine == 1:
            sizes.append(its)
            continue
        if not (isinstance(its, int) and its == 1):
            check(mine == its, message)
        sizes.append(mine)
    return tuple(sizes)


def _evaluate(declared: Sequence[Size], sizes: Sizes) -> tuple[Any, ...]:
    try:
        return tuple([it.value(sizes) for it in declared])
    except ZeroDivisionError:
        raise ValueError("a size is divided by zero") from None


def _checked(result: Argument, shape: tuple[Any, ...], check: Check) -> tuple[Any, ...]:
    for declared, size in zip(result.shape or (), shape, strict=True):
        if len(declared.terms) > 1:  # it is calculated
            name = result.name or "out"
            check(size >= 0, f"the size {declared.text} of {name} is negative")
    return shape


def _rank(array: Argument, shape: Shape) -> str:
    sizes = [it.text for it in array.shape or ()]
    count = f"at least {len(sizes)}" if array.leading else len(sizes)
    dimensions = "dimension" if len(sizes) == 1 else "dimensions"
    written = [ELLIPSIS, *sizes] if array.leading else sizes
    declared = f"({', '.join(written)}{',' if len(written) == 1 else ''})"
    return f"{array.name} must have {count} {dimensions} {declared}, not shape {tuple(shape)}"
