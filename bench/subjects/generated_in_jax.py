"""A package that cuvec-new has made, in programs of JAX: `gpupkg.jax`."""

from __future__ import annotations

from collections.abc import Iterator

import jax
from gpupkg import jax as functions
from gpupkg.jax import axpy

from batches import batches
from clock import Times

from .in_jax import A, InJax


class GeneratedInJax(InJax):
    def axpy(self, x: jax.Array, y: jax.Array) -> jax.Array:
        return axpy(A, x, y)

    def foreign(self) -> Iterator[tuple[str, int, Times]]:
        yield from super().foreign()
        yield from batches("JAX", functions)
