"""JAX, of a version whose XLA says which interface it has."""

from typing import Any

from ..optional import library

jax: Any = library("jax", "JAX", "jax")
if jax.version.__version_info__ < (0, 9, 0):
    raise ImportError(f"JAX {jax.__version__} is too old: pip install 'jax>=0.9'", name="jax")
