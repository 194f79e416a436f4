"""jax-tvm-ffi: the function of `bench/kernels/peers/tvm_ffi` in programs of JAX."""

from __future__ import annotations

import jax
import jax_tvm_ffi
import numpy as np

from .in_jax import A, InJax
from .tvm_ffi_source import axpy


class JaxTvmFfi(InJax):
    allow_cuda_graph = False

    def __init__(self) -> None:
        super().__init__()
        # It is called with the attribute and the arguments: XLA gives the result the memory of `y`.
        how = {"arg_spec": ["attrs.a", "args"], "allow_cuda_graph": self.allow_cuda_graph}
        jax_tvm_ffi.register_ffi_target("bench.axpy", axpy, platform=self.platform, **how)

    def axpy(self, x: jax.Array, y: jax.Array) -> jax.Array:
        result = jax.ShapeDtypeStruct(y.shape, y.dtype)
        return jax.ffi.ffi_call("bench.axpy", result, input_output_aliases={1: 0})(x, y, a=np.float64(A))


class InGraphs(JaxTvmFfi):
    """XLA may put calls into a CUDA graph, which launches the kernels without the function."""

    allow_cuda_graph = True
