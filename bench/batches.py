"""`vmap` of PyTorch and JAX over rows, compared with one call on all of them, in turns: what the GPU takes until all is done."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from typing import Any

import numpy as np

from clock import Times
from products import in_turns

SHAPE = (1000, 32 << 10)  # rows of float32, which keep the GPU busy for longer than a call takes
FUNCTIONS = ("gelu", "rms_norm")
Function = Callable[..., Any]


def batches(library: str, functions: Any) -> Iterator[tuple[str, int, Times]]:
    """The work, the bytes of all rows, and the seconds; after a look at what was calculated."""
    map_rows, x, wait = {"PyTorch": in_pytorch, "JAX": in_jax}[library]()
    weight = x[0] * 0 + 2
    for name, more in zip(FUNCTIONS, [(), (weight,)], strict=True):
        calls = [call(x, *more) for call in map_rows(getattr(functions, name), len(more))]
        mapped, whole = (np.asarray(call()[:2].tolist()) for call in calls)
        np.testing.assert_array_equal(mapped, whole)
        for way, times in zip(("vmap", "whole"), in_turns(calls, wait), strict=True):
            yield f"{way}, {library}, {name}", 4 * SHAPE[0] * SHAPE[1], times


def in_pytorch() -> tuple[Function, Any, Callable[[], object]]:
    import torch  # here: it takes seconds

    def ways(function: Function, more: int) -> list[Function]:
        mapped = torch.vmap(function, in_dims=(0, *(None,) * more))
        return [lambda *arrays, it=it: lambda: it(*arrays) for it in (mapped, function)]

    return ways, torch.rand(SHAPE, device="cuda"), torch.cuda.synchronize


def in_jax() -> tuple[Function, Any, Callable[[], object]]:
    import jax

    last = []

    def ways(function: Function, more: int) -> list[Function]:
        mapped = jax.vmap(function, in_axes=(0, *(None,) * more))
        compiled = jax.jit(mapped), jax.jit(function)
        return [lambda *arrays, it=it: lambda: kept(it(*arrays)) for it in compiled]

    def kept(array: Any) -> Any:
        last[:] = [array]
        return array

    x = jax.random.uniform(jax.random.key(1), SHAPE)
    return ways, x, lambda: jax.block_until_ready(last)
