"""Declared functions in programs of JAX, and how XLA gets them."""

import ctypes
from collections.abc import Callable, Iterable, Mapping, Sequence
from typing import Any

import numpy as np

from .. import _core
from ..declaration import Argument, Declaration, declarations
from ..extents import Extents, check_value
from ..record import record_of
from . import placement
from .handler import Call, Handler, Number, Value
from .placement import jax
from .sharding import ForeignCall, divided


class Function:
    """A function on JAX's arrays, called like the function itself; see the package `jax`.

    Raises
    ------
    ValueError
        Shapes do not agree.
    TypeError
        An array has a dtype that the function does not have, or a number is none.
    """

    def __init__(self, declaration: Declaration, target: str) -> None:
        self._declaration = declaration
        self._extents = Extents(declaration)
        self._target = target

    def __call__(self, *args: Any, **kwargs: Any) -> Any:
        declaration = self._declaration
        given = declaration.bound(args, kwargs)
        absent = {it.name for it in declaration.arrays if it.optional and given[it.name] is None}
        arrays = {
            it.name: _array(it, given[it.name])
            for it in declaration.arrays
            if it.name not in absent
        }
        traced = {it: given[it] for it in self._traced(given)}
        numbers: dict[str, Value] = {
            it.name: self._value(it, given[it.name])
            for it in declaration.numbers
            if it.name not in traced
        }
        numbers |= dict.fromkeys(absent)
        written = [it.name for it in declaration.arrays if it.written and it.name not in absent]
        results = self._results(arrays, numbers)
        if not results:
            raise ValueError(
                f"{declaration.name} makes no array without {' and '.join(sorted(absent))}, so that a "
                "program of JAX could drop the call"
            )
        call = Call(declaration.name, numbers, tuple(traced), len(results[0].shape))
        passed = {**arrays, **traced}
        is_placed = placement.is_known()
        if is_placed:
            passed = placement.varied(passed)
        positions = [*arrays]
        foreign = ForeignCall(
            _target_of_traced(self._target) if traced else self._target,
            call.write(declaration),
            tuple(results),
            tuple((positions.index(name), i) for i, name in enumerate(written)),
            "broadcast_all" if written else "expand_dims",
        )
        ranks = self._ranks(passed, written, results)
        lacking = self._lacking(passed)

        def run(*passed: Any) -> tuple[Any, ...]:
            passed = tuple(map(_padded, passed, lacking))  # here: the derivative gets them as given
            returned = divided(foreign, ranks, passed)(*passed)
            if is_placed:
                returned = placement.placed(returned, ranks, passed)
            return tuple([_as_elsewhere(it) for it in returned])

        run = differentiable(declaration, run, numbers, passed, lambda name: functions[name])
        saved = len(declaration.results) - declaration.returned
        returned = run(*passed.values())[: len(results) - saved]
        if len(returned) == 1:
            return returned[0]
        named = None if written else _core.result_types.get(declaration.name)
        return returned if named is None else named._make(returned)

    def _value(self, argument: Argument, value: Any) -> Value:
        """Return a Python number, a record, or an option that is one of its choices."""
        if argument.is_struct or argument.items:
            _refuse_traced(argument, value)
        if argument.is_struct:
            return record_of(argument, value)
        if argument.items and isinstance(value, Iterable):
            return tuple([_number(f"{argument.name}[{i}]", it) for i, it in enumerate(value)])
        if not argument.choices:
            return _number(argument.name, value)
        return argument.choices[_core.choice(self._declaration.name, argument.name, value)]

    def _lacking(self, passed: Mapping[str, Any]) -> tuple[int, ...]:
        """Return how many dimensions each lacks to have as many in front of the declared ones as any has."""
        if not self._extents.broadcasts:
            return (0,) * len(passed)
        padding = self._extents.padding({name: np.ndim(it) for name, it in passed.items()})
        return tuple([padding.get(name, 0) for name in passed])

    def _ranks(
        self, passed: Mapping[str, Any], written: Sequence[str], results: Sequence[Any]
    ) -> tuple[int, ...]:
        """Return the ranks of what is passed and of all results without the dimensions that are loops."""
        if not self._extents.broadcasts:
            return tuple(
                [np.ndim(it) for it in passed.values()] + [len(it.shape) for it in results]
            )
        own = {it.name: len(it.shape or ()) for it in self._declaration.arrays}
        declared = [len(it.shape or ()) for it in self._declaration.results]
        return (*[own.get(it, 0) for it in passed], *[own[it] for it in written], *declared)

    def _traced(self, given: Mapping[str, Any]) -> list[str]:
        """Return the numbers that are only known when the program runs."""
        names = [it.name for it in self._declaration.numbers if not it.items]
        names = [it for it in names if isinstance(given[it], jax.core.Tracer)]
        for name in names:
            if name in self._extents.numbers_that_give_sizes:
                raise TypeError(
                    f"{name} is a size, which must be known when a program is traced: "
                    "name it in static_argnames"
                )
        return names

    def _results(self, arrays: Mapping[str, Any], numbers: Mapping[str, Value]) -> list[Any]:
        """Return shapes and dtypes of what is written, and of the results."""
        declaration = self._declaration
        dtypes = declaration.dtypes({name: it.dtype.name for name, it in arrays.items()}, numbers)
        for it in declaration.numbers:
            if it.name in numbers and not (it.choices or it.is_struct):
                dtype = dtypes.get(it.dtype, it.dtype)
                _core.check_number(declaration.name, it.name, dtype, numbers[it.name])
        shapes = {name: it.shape for name, it in arrays.items()}
        results = self._extents.results_of(shapes, numbers, check_value)
        found = [
            (it, shapes[it.name]) for it in declaration.arrays if it.written and it.name in shapes
        ]
        found += zip(declaration.results, results, strict=True)
        return [
            jax.ShapeDtypeStruct(shape, np.dtype(dtypes.get(it.dtype, it.dtype)))
            for it, shape in found
        ]


def _padded(array: Any, count: int) -> Any:
    """Return an array with so many more dimensions in front, of size 1."""
    return array.reshape((*[1] * count, *array.shape)) if count else array


def _as_elsewhere(result: Any) -> Any:
    """Return a result in a dtype that JAX has: without ``jax_enable_x64``, none of 64 bits."""
    return jax.lax.convert_element_type(result, jax.dtypes.canonicalize_dtype(result.dtype))


def _array(argument: Argument, value: Any) -> Any:
    try:
        if value is not None:
            return jax.numpy.asarray(value)
    except TypeError:
        pass  # whose message names no argument
    raise TypeError(f"{argument.name} must be an array, not {type(value).__name__}")


def _refuse_traced(argument: Argument, value: Any) -> None:
    """Raise TypeError for a struct or a tuple with a number that is only known when the program runs."""
    if any(isinstance(it, jax.core.Tracer) for it in jax.tree_util.tree_leaves(value)):
        kind = "a struct, whose members" if argument.is_struct else "a tuple, whose items"
        raise TypeError(
            f"{argument.name} is {kind} must be known when a program is traced: "
            "make it outside of the program"
        )


def _number(name: str, value: Any) -> Number:
    """Return a Python number."""
    if isinstance(value, np.ndarray | jax.Array) and value.ndim:
        raise TypeError(f"{name} must be a number, not an array of shape {value.shape}")
    number = value.item() if isinstance(value, np.generic | np.ndarray | jax.Array) else value
    if not isinstance(number, Number):
        raise TypeError(f"{name} must be a number, not {type(value).__name__}")
    return number


_PACKAGE = __name__.rpartition(".cuvec.")[0]


def _target(name: str) -> str:
    return f"{_PACKAGE}.{name}"


def _target_of_traced(target: str) -> str:
    """Return the target of calls that read a number which the program calculates, and so wait for the GPU."""
    return f"{target}.traced"


_declared = {
    name: (function, declaration)
    for function, (name, declaration) in zip(_core.declared, declarations().items(), strict=True)
    if declaration.makes_something and not declaration.found and not declaration.struct_of_array
}
_on_cpu, _on_gpu = Handler(_declared, False), Handler(_declared, True)  # until the process ends
_in_graphs = Handler(_declared, True, in_graphs=True)


def _register() -> None:
    """Give all functions to XLA, for both platforms."""
    for name, (_, declaration) in _declared.items():
        target = _target(name)
        _register_at(target, _on_cpu, _in_graphs if declaration.allow_cuda_graph else _on_gpu)
        if declaration.numbers:
            _register_at(_target_of_traced(target), _on_cpu, _on_gpu)


def _register_at(target: str, on_cpu: Handler, on_gpu: Handler) -> None:
    for platform, handler in (("cpu", on_cpu), ("CUDA", on_gpu)):
        native = jax.ffi.pycapsule(ctypes.c_void_p(handler.native))
        jax.ffi.register_ffi_target(target, native, platform)


def _made(name: str) -> Callable[..., Any]:
    """Return a Python function, whose parameters `help` shows."""
    declaration, target = _declared[name][1], _target(name)
    function = Function(declaration, target)

    def call(*args: Any, **kwargs: Any) -> Any:
        return function(*args, **kwargs)

    doc = declaration.documented(f"The target ``{target}`` of XLA.", in_place=False)
    return declaration.presented(call, f"{_PACKAGE}.jax", doc, declaration.signature())


_register()
functions: dict[str, Callable[..., Any]] = {name: _made(name) for name in _declared}


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
    if not is_traced:  # with values only, nobody asks for gradients
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
