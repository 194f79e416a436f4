"""tvm-ffi: the function of `bench/kernels/peers/tvm_ffi`, on arrays of other libraries alone."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import cupy as cp
import numpy as np

from clock import Times
from foreign import on_their_stream

from .subject import A, Call, Subject
from .tvm_ffi_source import axpy, in_turn


class TvmFfi(Subject):
    largest = 0  # large arrays would measure only the kernel

    def on_gpu(self, values: np.ndarray) -> Any:
        return cp.asarray(values)

    def on_host(self, array: Any) -> np.ndarray:
        return cp.asnumpy(array)

    def issue(self, x: Any, y: Any) -> Call:
        return lambda: axpy(A, x, y)

    def wait(self) -> None:
        cp.cuda.get_current_stream().synchronize()

    def foreign(self) -> Iterator[tuple[str, int, Times]]:
        return on_their_stream({"issue": in_turn})
