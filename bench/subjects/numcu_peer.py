"""NumCu: its `add`, on CuVec's arrays."""

from __future__ import annotations

from typing import Any

import cuvec
import numcu
import numpy as np

from .subject import Call, Subject


class NumCu(Subject):
    operation = "z = x + y"
    largest = 256 << 20  # managed memory only
    memories = ("managed",)

    def on_gpu(self, values: np.ndarray) -> Any:
        return cuvec.asarray(values)

    def on_host(self, array: Any) -> np.ndarray:
        return np.asarray(array)

    def issue(self, x: Any, y: Any) -> Call:
        return lambda: numcu.add(x, x, output=y, sync=False)

    def wait(self) -> None:
        cuvec.dev_sync()

    def waiting(self, x: Any, y: Any) -> Call:
        return lambda: numcu.add(x, x, output=y)

    def expected(self, x: np.ndarray, y: np.ndarray) -> np.ndarray:
        return x.astype("f8") + x

    def empty(self, memory: str, n: int) -> np.ndarray:
        return cuvec.zeros(n, "f4")

    def trip(self, x: np.ndarray, y: np.ndarray) -> None:
        numcu.add(x, y, output=y)
