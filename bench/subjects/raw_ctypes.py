"""Code written by hand: ctypes over a C function that calls cudaMalloc, cudaMemcpy, the kernel and cudaFree."""

from __future__ import annotations

import ctypes
import os
from typing import Any

import numpy as np

from .subject import A, Call, Subject

FLOATS = np.ctypeslib.ndpointer(np.float32, flags="C_CONTIGUOUS")


class RawCtypes(Subject):
    memories = ("NumPy",)
    largest = 0  # nothing stays on the GPU

    def __init__(self) -> None:
        self.library = ctypes.CDLL(os.environ["BENCH_RAW_CTYPES"])
        self.library.axpy.argtypes = (ctypes.c_float, FLOATS, FLOATS, ctypes.c_size_t)
        self.library.axpy.restype = ctypes.c_int

    def on_gpu(self, values: np.ndarray) -> Any:
        return values.copy()

    def on_host(self, array: Any) -> np.ndarray:
        return array

    def issue(self, x: Any, y: Any) -> Call:
        def call() -> None:
            if error := self.library.axpy(A, x, y, x.size):
                raise RuntimeError(f"CUDA error {error}")

        return call

    def wait(self) -> None:
        """Every call has waited."""

    def nothing(self) -> Call:
        return self.issue(np.empty(0, "f4"), np.empty(0, "f4"))

    def empty(self, memory: str, n: int) -> np.ndarray:
        return np.empty(n, "f4")

    def trip(self, x: np.ndarray, y: np.ndarray) -> None:
        self.issue(x, y)()
