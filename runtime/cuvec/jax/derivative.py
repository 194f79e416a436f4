"""`jax.custom_vjp` of functions that declare a derivative."""

from collections.abc import Callable, Mapping, Sequence
from typing import Any

from ..declaration import Declaration
from .version import jax


def differentiable(
    declaration: Declaration,
    run: Callable[..., tuple[Any, ...]],
    numbers: Mapping[str, Any],
    passed: Mapping[str, Any],
    function_of: Callable[[str], Callable[..., Any]],
) -> Callable[..., tuple[Any, ...]]:
    """Return `run` with the declared derivative, if there is one.

    `run` takes what is passed: the arrays, and the numbers that are traced; `numbers` are the others.
    `function_of` returns functions on JAX's arrays by their names.
    """
    derivative = declaration.derivative
    is_traced = any(isinstance(it, jax.core.Tracer) for it in passed.values())
    if not (derivative.steps and is_traced):  # with values alone, nobody asks for gradients
        return run
    names = [it.name for it in declaration.arguments]
    known = {index: numbers[it] for index, it in enumerate(names) if it in numbers}
    arrays = {it.name for it in declaration.arrays}
    shapes = {name: it.shape for name, it in passed.items() if name in arrays}
    whole: Any = jax.custom_vjp(run)

    def forward(*values: Any) -> tuple[Any, Any]:
        results = whole(*values)  # which has a derivative, too
        given = dict(zip(passed, values, strict=True))
        values = (*[given.get(name) for name in names], *results)
        return results, {it: values[it] for it in derivative.values if it not in known}

    def backward(saved: Mapping[int, Any], gradients: Sequence[Any]) -> tuple[Any, ...]:
        values = {**known, **saved}
        found = derivative.gradients(function_of, values, gradients, shapes, shapes)
        return tuple([found.get(name) for name in passed])

    whole.defvjp(forward, backward)
    differentiated: Callable[..., tuple[Any, ...]] = whole
    return differentiated
