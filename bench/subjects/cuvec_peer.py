"""CuVec: its example extension, `increment2d_f`, over pybind11. It times itself by events and waits always."""

from __future__ import annotations

from typing import Any

import cuvec.pybind11 as cuvec
import numpy as np
from cuvec import dev_sync
from cuvec.example_pybind11 import increment2d_f

from .subject import Call, Subject


class CuVec(Subject):
    operation = "y = x + 1"
    arrays_moved = 2
    largest = 256 << 20  # managed memory only
    memories = ("managed",)

    def on_gpu(self, values: np.ndarray) -> Any:
        return cuvec.asarray(values.reshape(rows(values.size), -1))

    def on_host(self, array: Any) -> np.ndarray:
        return np.asarray(array).reshape(-1)

    def issue(self, x: Any, y: Any) -> Call:
        return lambda: increment2d_f(x.cuvec, y.cuvec)

    def wait(self) -> None:
        dev_sync()

    def waiting(self, x: Any, y: Any) -> Call:
        return self.issue(x, y)

    def expected(self, x: np.ndarray, y: np.ndarray) -> np.ndarray:
        return x.astype("f8") + 1

    def zeros(self) -> Call:
        return lambda: cuvec.zeros((64, 64), "f4")

    def asarray(self, values: np.ndarray) -> Call:
        return lambda: cuvec.asarray(values)

    def empty(self, memory: str, n: int) -> np.ndarray:
        return cuvec.zeros((rows(n), n // rows(n)), "f4")

    def trip(self, x: np.ndarray, y: np.ndarray) -> None:
        increment2d_f(x.cuvec, y.cuvec)


def rows(n: int) -> int:
    """The example takes two dimensions."""
    return min(n, 1024)
