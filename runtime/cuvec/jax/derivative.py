"""`jax.custom_vjp` of functions that declare a derivative, and errors in the place of gradients that nothing declares."""

from collections.abc import Callable, Mapping, Sequence
from typing import Any

from ..declaration import Declaration
from . import placement
from .placement import jax


def differentiable(
    declaration: Declaration,
    run: Callable[..., tuple[Any, ...]],
    numbers: Mapping[str, Any],
    passed: Mapping[str, Any],
    function_of: Callable[[str], Callable[..., Any]],
) -> Callable[..., tuple[Any, ...]]:
    """Return `run` with the declared derivative, or with an error for who asks for one.

    `run` takes what is passed: the arrays, and the numbers that are traced; `numbers` are the others.
    `function_of` returns functions on JAX's arrays by their names.
    """
    derivative = declaration.derivative
    is_traced = any(isinstance(it, jax.core.Tracer) for it in passed.values())
    if not is_traced:  # with values alone, nobody asks for gradients
        return run
    if not derivative.steps:
        return _without_derivative(
            run,
            f"`{declaration.name}` declares no derivative, and cannot be differentiated: declare one, as "
            "`cuvec-new add --derivative` does, or wrap the call in jax.custom_vjp",
        )
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
        if placement.is_known():
            found = {name: placement.sharded_like(it, passed[name]) for name, it in found.items()}
        return tuple([found.get(name) for name in passed])

    whole.defvjp(forward, backward)

    def call(*values: Any) -> tuple[Any, ...]:
        given = zip(passed, values, strict=True)
        constant = [
            it if name in arrays else _constant(declaration, name, it) for name, it in given
        ]
        results: tuple[Any, ...] = whole(*constant)
        return results

    return call


def _constant(declaration: Declaration, name: str, number: Any) -> Any:
    """Return a traced number, for whose gradient there is an error: a derivative has none of numbers."""

    def same(number: Any) -> Any:
        return number

    message = (
        f"{name} of `{declaration.name}` is a number, which has no gradient: pass "
        f"jax.lax.stop_gradient({name}), or declare it as an array, `{name}: T(...)`"
    )
    return _without_derivative(same, message)(number)


def _without_derivative(run: Callable[..., Any], message: str) -> Callable[..., Any]:
    def refuse(_values: Any, _tangents: Any) -> Any:
        raise ValueError(message)

    without: Any = jax.custom_jvp(run)
    without.defjvp(refuse)
    found: Callable[..., Any] = without
    return found
