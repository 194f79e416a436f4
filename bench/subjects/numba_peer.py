"""Numba: a kernel in Python."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import numpy as np

from clock import Times
from foreign import on_their_stream

np.row_stack = np.vstack  # some versions of Numba want what NumPy no longer has
from numba import cuda

from .subject import A, Call, Subject

BLOCK = 256


@cuda.jit("void(float32, float32[::1], float32[::1])")
def axpy(a, x, y):
    i = cuda.grid(1)
    if i < x.size:
        y[i] += a * x[i]


class Numba(Subject):
    memories = ("NumPy",)

    def on_gpu(self, values: np.ndarray) -> Any:
        return cuda.to_device(values)

    def on_host(self, array: Any) -> np.ndarray:
        return array.copy_to_host()

    def issue(self, x: Any, y: Any) -> Call:
        return self.on_stream(A, x, y, 0)

    def on_stream(self, a: float, x: Any, y: Any, stream: int) -> Call:
        on = cuda.external_stream(stream) if stream else 0
        launch, number = axpy[(len(x) + BLOCK - 1) // BLOCK, BLOCK, on], np.float32(a)
        return lambda: launch(number, x, y)

    def foreign(self) -> Iterator[tuple[str, int, Times]]:
        return on_their_stream({"issue": self.on_stream})

    def wait(self) -> None:
        cuda.synchronize()

    def asarray(self, values: np.ndarray) -> Call:
        return lambda: cuda.to_device(values)

    def empty(self, memory: str, n: int) -> np.ndarray:
        return np.empty(n, "f4")

    def trip(self, x: np.ndarray, y: np.ndarray) -> None:
        axpy[(x.size + BLOCK - 1) // BLOCK, BLOCK](np.float32(A), x, y)
