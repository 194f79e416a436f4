"""A package that cuvec-new has made, in programs of JAX: `gpupkg.jax`."""

from __future__ import annotations

import jax
from gpupkg.jax import axpy

from .in_jax import A, InJax


class GeneratedInJax(InJax):
    def axpy(self, x: jax.Array, y: jax.Array) -> jax.Array:
        return axpy(A, x, y)
