"""JAX, if it is there and new enough."""

from ..optional import library

jax = library("jax", "JAX", "jax")

if jax.version.__version_info__ < (0, 5, 0):  # before, `ffi_call` had no `input_output_aliases`
    raise ImportError(f"JAX {jax.__version__} is too old: pip install 'jax>=0.5'", name="jax")
