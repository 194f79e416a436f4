"""JAX: its own operations."""

from __future__ import annotations

import jax

from .in_jax import A, InJax


class Jax(InJax):
    def axpy(self, x: jax.Array, y: jax.Array) -> jax.Array:
        return y + A * x


class KeptApart(Jax):
    """XLA makes one kernel of many calls, if nothing is between them; it is not to see that `x` is the same, either."""

    def axpy(self, x: jax.Array, y: jax.Array) -> jax.Array:
        return super().axpy(*jax.lax.optimization_barrier((x, y)))
