"""JAX, if it is there and new enough."""

from ..optional import library

jax = library("jax", "JAX", "jax")

if jax.version.__version_info__ < (0, 9, 0):  # before, XLA did not say which interface it has
    raise ImportError(f"JAX {jax.__version__} is too old: pip install 'jax>=0.9'", name="jax")
