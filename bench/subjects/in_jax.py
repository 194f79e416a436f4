"""A function in programs of JAX: `y + a x`, to which `y` is given (donated), with `a` known when a program is compiled."""

from __future__ import annotations

import os
from abc import abstractmethod
from collections.abc import Iterator
from typing import Any

import jax
import numpy as np

from clock import Times, of, times
from foreign import SMALL

from .subject import Call, Subject

A = 0.5  # the result shows how many calls there were; as many as are timed do not overflow
CALLS = 101  # of the program that is compared with a single call


class Place:
    """Holder of the current array: JAX's do not change, and a program takes the one that is given to it."""

    def __init__(self, values: np.ndarray) -> None:
        self.array = jax.numpy.asarray(values)


class InJax(Subject):
    largest = 0  # large arrays would measure only the kernel

    def __init__(self) -> None:
        self.platform = jax.default_backend()
        if os.environ.get("CUVEC_DEVICE") == "cuda" and self.platform != "gpu":
            raise RuntimeError(f"JAX works on the {self.platform} here: pip install 'jax[cuda13]'")

    @abstractmethod
    def axpy(self, x: jax.Array, y: jax.Array) -> jax.Array:
        """`y + A x`, in a program that is being traced."""

    def program(self, calls: int, x: Place, y: Place) -> Call:
        """One program of so many calls, each on the result of the one before."""

        def chain(x: jax.Array, y: jax.Array) -> jax.Array:
            for _ in range(calls):
                y = self.axpy(x, y)
            return y

        compiled = jax.jit(chain, donate_argnums=1)

        def call() -> None:
            y.array = compiled(x.array, y.array)

        return call

    def on_gpu(self, values: np.ndarray) -> Place:
        return Place(values)

    def on_host(self, array: Place) -> np.ndarray:
        return np.asarray(array.array)

    def issue(self, x: Place, y: Place) -> Call:
        return self.program(1, x, y)

    def wait(self) -> None:
        jax.block_until_ready(jax.live_arrays())

    def expected(self, x: np.ndarray, y: np.ndarray) -> np.ndarray:
        return y.astype("f8") + A * x.astype("f8")

    def foreign(self) -> Iterator[tuple[str, int, Times]]:
        one, many = self.small(1), self.small(CALLS)
        times(one, 50, 400, self.wait)  # until all clocks are up
        yield "issue, jax.jit", 4 * SMALL, times(one, 50, 400, self.wait)
        rounds = [[self.seconds(program) for program in (one, many)] for _ in range(30)]
        yield "one more, jax.jit", 4 * SMALL, of([(long - short) / (CALLS - 1) for short, long in rounds])

    def small(self, calls: int) -> Call:
        """A program on small arrays, after a look at what it computes."""
        values = np.random.default_rng(calls).random((2, SMALL), dtype="f4")
        x, y = map(Place, values)
        program = self.program(calls, x, y)
        program()
        np.testing.assert_allclose(self.on_host(y), values[1] + calls * A * values[0].astype("f8"), rtol=1e-5)
        return program

    def seconds(self, program: Call) -> float:
        """Time of a program until its result is there."""

        def waited() -> Any:
            program()
            self.wait()

        return times(waited, 1, 20).median
