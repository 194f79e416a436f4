"""CuPy: an `ElementwiseKernel`, which is what its users write for such an operation."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import cupy as cp
import cupyx
import numpy as np

from clock import Times
from foreign import on_their_stream

from .subject import A, Call, Subject

SOURCE = """
extern "C" __global__ void axpy(float a, const float *x, float *y, long long n) {
  const long long i = blockIdx.x * (long long)blockDim.x + threadIdx.x;
  if (i < n) y[i] += a * x[i];
}
"""
BLOCK = 256


class CuPy(Subject):
    memories = ("pinned", "NumPy")

    def __init__(self) -> None:
        self.axpy = cp.ElementwiseKernel("float32 a, float32 x", "float32 y", "y += a * x", "axpy")

    def on_gpu(self, values: np.ndarray) -> Any:
        return cp.asarray(values)

    def on_host(self, array: Any) -> np.ndarray:
        return cp.asnumpy(array)

    def issue(self, x: Any, y: Any) -> Call:
        return lambda: self.axpy(A, x, y)

    def wait(self) -> None:
        cp.cuda.get_current_stream().synchronize()

    def dot(self, x: Any, y: Any) -> Call:
        return lambda: float(cp.dot(x, y))

    def gemv(self, a: Any, x: Any) -> Call:
        y = cp.empty(len(a), "f4")
        return lambda: cp.matmul(a, x, out=y)

    def zeros(self) -> Call:
        return lambda: cp.zeros((64, 64), "f4")

    def asarray(self, values: np.ndarray) -> Call:
        return lambda: cp.asarray(values)

    def empty(self, memory: str, n: int) -> np.ndarray:
        return cupyx.empty_pinned(n, "f4") if memory == "pinned" else np.empty(n, "f4")

    def trip(self, x: np.ndarray, y: np.ndarray) -> None:
        there = cp.asarray(y)
        self.axpy(A, cp.asarray(x), there)
        cp.asnumpy(there, out=y)

    def foreign(self) -> Iterator[tuple[str, int, Times]]:
        """A `RawKernel`, which checks nothing."""
        kernel = cp.RawKernel(SOURCE, "axpy")

        def make(a: float, x: Any, y: Any, _stream: int) -> Call:
            grid, n = ((x.size + BLOCK - 1) // BLOCK,), np.int64(x.size)
            return lambda: kernel(grid, (BLOCK,), (np.float32(a), x, y, n))

        return on_their_stream({"issue": make}, ["CuPy"])
