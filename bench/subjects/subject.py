"""Interface of a measured library: the calls that every subject has, as far as the library has them."""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Callable, Iterator
from typing import Any

import numpy as np

from clock import Times, Works

A = 1e-9  # repeated calls must not overflow
Call = Callable[[], object]


class Subject(ABC):
    """A library, with `y += a x` in float32 or what comes nearest to it."""

    operation = "y += a x"
    arrays_moved = 3  # by the operation, read and written
    largest = 1 << 30  # bytes of an array on the GPU
    memories: tuple[str, ...] = ()  # where the arrays of `trip` may be for the host: managed, pinned, NumPy

    @abstractmethod
    def on_gpu(self, values: np.ndarray) -> Any:
        """An array on the GPU."""

    @abstractmethod
    def on_host(self, array: Any) -> np.ndarray:
        """Values of an array on the GPU."""

    @abstractmethod
    def issue(self, x: Any, y: Any) -> Call:
        """The operation on arrays on the GPU, as a call that does not wait where the library has such."""

    @abstractmethod
    def wait(self) -> None:
        """Waits for what was issued."""

    def waiting(self, x: Any, y: Any) -> Call:
        """The operation on arrays on the GPU, as a call that waits."""
        issue = self.issue(x, y)

        def call() -> None:
            issue()
            self.wait()

        return call

    def expected(self, x: np.ndarray, y: np.ndarray) -> np.ndarray:
        """The operation in float64."""
        return y.astype("f8") + A * x.astype("f8")

    def dot(self, x: Any, y: Any) -> Call | None:
        """The scalar product as a number of Python."""
        return None

    def gemv(self, a: Any, x: Any) -> Call | None:
        """The product of a matrix and a vector, on the GPU, as a call that does not wait."""
        return None

    def nothing(self) -> Call | None:
        """The operation on arrays without elements, as `issue` does it."""
        return None

    def launches(self, x: Any, y: Any) -> dict[str, Works]:
        """The kernel on these arrays, launched from C, without and with a wait after each, to be timed in turns with `issue`
        and `waiting`."""
        return {}

    def zeros(self) -> Call | None:
        """A new array of 64 by 64 zeros that the GPU can use."""
        return None

    def asarray(self, values: np.ndarray) -> Call | None:
        """A new array that the GPU can use with these values."""
        return None

    def empty(self, memory: str, n: int) -> np.ndarray:
        """An array for `trip` that the host can write to."""
        raise NotImplementedError(memory)

    def trip(self, x: np.ndarray, y: np.ndarray) -> None:
        """The operation on the GPU with arrays that the host has written; the host can read `y` after it."""
        raise NotImplementedError

    def foreign(self) -> Iterator[tuple[str, int, Times]]:
        """Small calls on arrays of other libraries, as `extra` has them."""
        return iter(())

    def extra(self) -> Iterator[tuple[str, int, Times]]:
        """Measurements of this subject only: the work, bytes of an array, and the time of a call."""
        return iter(())
