"""top_k(x, k) -> (values, indices) of the k largest elements of each row."""

import ctypes
from pathlib import Path

import jax
import jax.numpy as jnp

_library = ctypes.CDLL(str(Path(__file__).with_name("libtop_k.so")))
jax.ffi.register_ffi_target("top_k", jax.ffi.pycapsule(_library.TopK), platform="CUDA")


def top_k(x, k):
    if not 0 <= k <= x.shape[-1]:
        raise ValueError("k must be at most the size of a row")
    shape = (*x.shape[:-1], k)
    results = jax.ShapeDtypeStruct(shape, x.dtype), jax.ShapeDtypeStruct(shape, jnp.int32)
    return jax.ffi.ffi_call("top_k", results, vmap_method="broadcast_all")(x)
