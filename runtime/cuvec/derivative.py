"""Derivatives that functions declare: the gradients of arguments, calculated from the gradients of results."""

from collections.abc import Callable, Collection, Mapping, Sequence
from dataclasses import dataclass
from typing import Any, Literal


@dataclass(frozen=True)
class Step:
    """A call of a function whose results are gradients.

    Attributes
    ----------
    gradients : tuple of str
        The arguments whose gradients the results are.
    function : str
    arguments : tuple
        The name of a parameter, and what is passed for it: the ``"value"`` of an argument or a result,
        by its index among them all, the ``"gradient"`` of a result, by its index, or a ``"number"``.
    """

    gradients: tuple[str, ...]
    function: str
    arguments: tuple[tuple[str, Literal["value", "gradient", "number"], Any], ...]

    def run(
        self,
        function: Callable[..., Any],
        values: Mapping[int, Any],
        gradients: Sequence[Any],
    ) -> dict[str, Any]:
        """Return the gradients of arguments, by their names; `function` is the one that the step calls."""
        given: dict[str, Any] = {"value": values, "gradient": gradients}
        passed = {
            parameter: value if kind == "number" else given[kind][value]
            for parameter, kind, value in self.arguments
        }
        results = function(**passed)
        found = results if isinstance(results, tuple) else (results,)
        return dict(zip(self.gradients, found, strict=True))


@dataclass(frozen=True)
class Derivative:
    """The derivative of a function: steps that calculate it, none if it declares none."""

    steps: tuple[Step, ...]

    @property
    def values(self) -> tuple[int, ...]:
        """Values that must be saved of a call: indices among its arguments and results."""
        passed = (it for step in self.steps for it in step.arguments)
        return tuple(sorted({value for _, kind, value in passed if kind == "value"}))

    def gradients(
        self,
        function_of: Callable[[str], Callable[..., Any]],
        values: Mapping[int, Any],
        gradients: Sequence[Any],
        shapes: Mapping[str, Sequence[int]],
        wanted: Collection[str],
    ) -> dict[str, Any]:
        """Return the gradients of arguments, by their names, in the shapes of the arguments.

        Steps are left out that calculate none of those that are wanted. An argument that is None has no
        shape, and no gradient.
        """
        found: dict[str, Any] = {}
        for step in self.steps:
            if not set(wanted).isdisjoint(step.gradients):
                found |= step.run(function_of(step.function), values, gradients)
        return {
            name: sum_to(gradient, shapes[name])
            for name, gradient in found.items()
            if name in shapes
        }


def sum_to(gradient: Any, shape: Sequence[int]) -> Any:
    """Return the sum over the dimensions along which an argument of this shape was repeated."""
    has, first = gradient.shape, len(gradient.shape) - len(shape)
    repeated = [
        axis
        for axis, size in enumerate(has)
        if axis < first or (shape[axis - first] == 1 and size != 1)
    ]
    summed = gradient.sum(axis=tuple(repeated)) if repeated else gradient
    return summed.reshape(tuple(shape)) if repeated else summed
