"""Calls in programs for several devices: each device works on its part of the dimensions that are loops.

Without it, XLA would gather all arrays on every device.
"""

import math
from collections.abc import Sequence
from functools import lru_cache, partial
from typing import Any, NamedTuple

from ..optional import library
from . import placement
from .placement import factors, jax

_partitioning = library("jax.experimental.custom_partitioning", "JAX", "jax")


class ForeignCall(NamedTuple):
    """A call of a target of XLA.

    Attributes
    ----------
    target, text : str
        The name of the target, and what it gets besides arrays.
    results : tuple of jax.ShapeDtypeStruct
    aliases : tuple of pairs of int
        Arguments, and the results that are in their memory.
    vmap_method : str
        Of `jax.ffi.ffi_call`.
    """

    target: str
    text: str
    results: tuple[Any, ...]
    aliases: tuple[tuple[int, int], ...]
    vmap_method: str

    def __call__(self, *passed: Any) -> tuple[Any, ...]:
        aliases = dict(self.aliases)
        method = self.vmap_method
        call = jax.ffi.ffi_call(
            self.target, self.results, vmap_method=method, input_output_aliases=aliases
        )
        return tuple(call(*passed, call=self.text))

    def of_shapes(self, shapes: Sequence[tuple[int, ...]]) -> "ForeignCall":
        """Return the same with results of other shapes."""
        results = [
            jax.ShapeDtypeStruct(shape, it.dtype)
            for shape, it in zip(shapes, self.results, strict=True)
        ]
        return self._replace(results=tuple(results))


def divided(call: ForeignCall, ranks: tuple[int, ...], passed: Sequence[Any]) -> Any:
    """Return the call as a function that is divided among devices, if what is passed may be on several.

    `ranks` has the rank of each array, then of each result, without the dimensions in front that are loops.
    """
    if jax.device_count() == 1 and not placement.is_known():
        return call
    if any(isinstance(it, jax.core.Tracer) for it in passed):
        return _divided(call, ranks)
    several = any(isinstance(it, jax.Array) and len(it.sharding.device_set) > 1 for it in passed)
    return _compiled(call, ranks) if several else call


@lru_cache(256)
def _compiled(call: ForeignCall, ranks: tuple[int, ...]) -> Any:
    return jax.jit(_divided(call, ranks))


@lru_cache(256)
def _divided(call: ForeignCall, ranks: tuple[int, ...]) -> Any:
    """Return the call with rules for devices and for `jax.vmap`."""
    on_devices = _partitioning.custom_partitioning(call.__call__)
    on_devices.def_partition(partial(_partition, call, ranks), sharding_rule=partial(_rule, ranks))
    batched = jax.custom_batching.custom_vmap(on_devices)
    batched.def_vmap(partial(_batched, call, ranks))
    return batched


def _rule(
    ranks: tuple[int, ...], _mesh: Any, arguments: Sequence[Any], results: Sequence[Any]
) -> Any:
    """Return which dimensions are on the same devices, of MLIR's types of arrays."""
    shapes = [tuple(it.shape) for it in (*arguments, *results)]
    mappings = [_partitioning.ArrayMapping(*it) for it in factors(shapes, ranks, len(results))]
    count = len(arguments)
    return _partitioning.SdyShardingRule(tuple(mappings[:count]), tuple(mappings[count:]))


def _partition(
    call: ForeignCall,
    ranks: tuple[int, ...],
    mesh: Any,
    arguments: Sequence[Any],
    results: Sequence[Any],
) -> Any:
    """Return what a device does, and the shardings that it needs: as the first result is to be, along loops."""
    shapes = [it.shape for it in (*arguments, *results)]
    axes = {
        f"loop{i}": axes
        for i, (axes, size) in enumerate(
            zip(results[0].sharding.spec, results[0].shape, strict=False)
        )
        if axes is not None and size % _devices(mesh, axes) == 0
    }
    shardings = tuple(
        jax.NamedSharding(mesh, jax.P(*[axes.get(factor) for factor in factors]))
        for factors in factors(shapes, ranks, len(results))
    )
    count = len(arguments)
    parts = [it.shard_shape(shape) for it, shape in zip(shardings, shapes, strict=True)]
    return mesh, call.of_shapes(parts[count:]), shardings[count:], shardings[:count]


def _batched(
    call: ForeignCall,
    ranks: tuple[int, ...],
    size: int,
    is_batched: Sequence[bool],
    *passed: Any,
) -> Any:
    """Call it with one more loop dimension, as `jax.ffi.ffi_call` would."""
    others = size if call.vmap_method == "broadcast_all" else 1
    wider = [
        it if has else jax.numpy.broadcast_to(it, (others, *it.shape))
        for it, has in zip(passed, is_batched, strict=True)
    ]
    more = call.of_shapes([(size, *it.shape) for it in call.results])
    results = _divided(more, ranks)(*wider)
    if placement.is_known():
        results = placement.placed(results, ranks, wider)
    return results, (True,) * len(call.results)


def _devices(mesh: Any, axes: Any) -> int:
    return math.prod(mesh.shape[it] for it in ((axes,) if isinstance(axes, str) else axes))
