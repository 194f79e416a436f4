"""Devices of arrays, as JAX's types of arrays say: the axes of a mesh over which they vary in `jax.shard_map`, and the
sharding of those with explicit axes. XLA's foreign functions tell nothing of their results. Also the one import of JAX."""

from collections.abc import Mapping, Sequence
from typing import Any

from ..optional import library

# of a version whose XLA says which interface it has
jax: Any = library("jax", "JAX", "jax")
if jax.version.__version_info__ < (0, 9, 0):
    raise ImportError(f"JAX {jax.__version__} is too old: pip install 'jax>=0.9'", name="jax")


def varied(passed: Mapping[str, Any]) -> dict[str, Any]:
    """Return arrays that all vary over the axes over which any does; sums over devices are their derivatives' then."""
    axes = {name: _varying(it) for name, it in passed.items()}
    every = frozenset().union(*axes.values())
    return {name: _vary(it, every - axes[name]) for name, it in passed.items()}


def placed(
    results: Sequence[Any], ranks: tuple[int, ...], passed: Sequence[Any]
) -> tuple[Any, ...]:
    """Return results that vary as what was passed does, and are sharded as that along loops; see `divided`."""
    axes = frozenset().union(*map(_varying, passed))
    names = factors([it.shape for it in (*passed, *results)], ranks, len(results))
    along: dict[str, Any] = {}
    for it, own in zip(passed, names, strict=False):
        for name, axis in zip(own, _spec(it), strict=True):
            # The first of several arrays that disagree decides.
            if axis is not None and axis not in along.values():
                along.setdefault(name, axis)
    found = []
    for result, own in zip(results, names[len(passed) :], strict=True):
        wanted = [along.get(name) for name in own]
        found.append(_vary(sharded(result, wanted), axes - _varying(result)))
    return tuple(found)


def sharded(array: Any, spec: Sequence[Any]) -> Any:
    """Return an array on the axes of a mesh that are explicit."""
    has = _spec(array)
    return array if list(has) == list(spec) else jax.sharding.reshard(array, jax.P(*spec))


def sharded_like(array: Any, other: Any) -> Any:
    """Return an array of the same shape, sharded as the other one."""
    return sharded(array, _spec(other))


def factors(
    shapes: Sequence[tuple[int, ...]], ranks: Sequence[int], results: int
) -> list[list[str]]:
    """Return a name for each dimension of each array: the same where they are one loop."""
    first = len(shapes) - results
    loops = shapes[first][: len(shapes[first]) - ranks[first]]
    return [
        [
            f"loop{i}"
            if i < min(len(shape) - rank, len(loops)) and size == loops[i]
            else f"own{k}_{i}"
            for i, size in enumerate(shape)
        ]
        for k, (shape, rank) in enumerate(zip(shapes, ranks, strict=True))
    ]


def is_known() -> bool:
    """Return whether types say anything: there is a mesh."""
    return not jax.sharding.get_abstract_mesh().empty


def _varying(array: Any) -> frozenset[str]:
    kind = jax.typeof(array)
    manual: Any = getattr(kind, "manual_axis_type", None)
    axes: Any = getattr(kind, "vma", ()) if manual is None else manual.varying
    return frozenset(axes)


def _vary(array: Any, axes: frozenset[str]) -> Any:
    return jax.lax.pcast(array, tuple(sorted(axes)), to="varying") if axes else array


def _spec(array: Any) -> tuple[Any, ...]:
    """Return the explicit axes along each dimension."""
    spec = tuple(jax.typeof(array).sharding.spec)
    return (*spec, *[None] * (array.ndim - len(spec)))
