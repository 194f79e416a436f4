"""What is measured on the CPU: packages, NumPy, and a loop in C, which is compiled here."""

from __future__ import annotations

import ctypes
import os
import subprocess
from collections.abc import Callable
from itertools import repeat
from pathlib import Path
from typing import Any

import numpy as np

FLAGS = ["-O3", "-DNDEBUG", "-ffp-contract=off", "-fopenmp", "-fPIC", "-shared"]
Run = Callable[[int], object]  # calls a function so many times


def compiled(folder: Path) -> ctypes.CDLL:
    target = folder / "stream.so"
    subprocess.run([os.environ.get("CC", "cc"), *FLAGS, "-o", target, Path(__file__).with_name("stream.c")], check=True)
    return ctypes.CDLL(str(target))


def contestants(
    function: str, dtype: np.dtype[Any], n: int, packages: dict[str, Any], library: ctypes.CDLL, threads: int
) -> dict[str, Run]:
    """What is measured, by name; each has given the right result once.

    A package is named, and has arrays of its own; with " staged" after the name it has NumPy's. All others begin with
    "NumPy" or with "C": the fastest is what a package is compared with. Only "float64" is not among them: NumPy's sum
    of float32 with the precision that packages have.
    """
    data = np.random.default_rng(n).standard_normal((2, n)).astype(dtype)
    if function == "axpy":
        runs = {"NumPy": numpy_axpy(*data), "NumPy, two steps": numpy_axpy_in_steps(*data)}
    else:
        runs = {"NumPy": repeated(np.dot, *data), "NumPy, vdot": repeated(np.vdot, *data)}
        if dtype == np.float32:
            runs["float64"] = repeated(lambda x, y: np.vecdot(x, y, dtype=np.float64), *data)
    for count in sorted({1, threads}):
        runs[f"C, {count}"] = c_loop(library, function, count, *(x.copy() for x in data))
    for name, package in packages.items():
        own = [package.cuvec.asarray(x) for x in data]
        for kind, (x, y) in (("", own), (" staged", data)):
            check(package, function, x, y)
            runs[name + kind] = repeated(getattr(package, function), *([0.5] if function == "axpy" else []), x, y)
    return runs


def check(package: Any, function: str, x: Any, y: Any) -> None:
    exact_x, exact_y = (np.array(array, np.float64) for array in (x, y))
    if function == "dot":
        assert abs(package.dot(x, y) - exact_x @ exact_y) <= 1e-12 * (abs(exact_x) @ abs(exact_y))
    else:
        package.axpy(0.5, x, y)
        np.testing.assert_allclose(y, exact_y + 0.5 * exact_x, rtol=4 * np.finfo(x.dtype).eps, atol=1e-6)


def repeated(function: Callable[..., object], *arguments: object) -> Run:
    if len(arguments) == 3:  # written out: *arguments in the loop would cost as much as a call

        def run(calls: int, a: object = arguments[0], x: object = arguments[1], y: object = arguments[2]) -> None:
            for _ in repeat(None, calls):
                function(a, x, y)
    else:

        def run(calls: int, x: object = arguments[0], y: object = arguments[1]) -> None:  # type: ignore[misc]
            for _ in repeat(None, calls):
                function(x, y)

    return run


def numpy_axpy(x: Any, y: Any) -> Run:
    def run(calls: int, y: Any = y) -> None:
        for _ in repeat(None, calls):
            y += 0.5 * x

    return run


def numpy_axpy_in_steps(x: Any, y: Any) -> Run:
    t, multiply, add = np.empty_like(x), np.multiply, np.add

    def run(calls: int) -> None:
        for _ in repeat(None, calls):
            multiply(x, 0.5, out=t)
            add(y, t, out=y)

    return run


def c_loop(library: ctypes.CDLL, function: str, threads: int, x: Any, y: Any) -> Run:
    native = getattr(library, f"{function}_{x.dtype}")
    pointers = [ctypes.c_void_p(array.ctypes.data) for array in (x, y)]
    factor = [ctypes.c_double(0.5)] if function == "axpy" else []

    def run(calls: int, _alive: object = (x, y)) -> None:
        native(*factor, *pointers, ctypes.c_size_t(x.size), ctypes.c_int(threads), ctypes.c_size_t(calls))

    return run


def nothing(library: ctypes.CDLL) -> Run:
    """A C function that does nothing, with a number and three null pointers: what ctypes itself takes."""
    native = library.nothing
    native.argtypes = (ctypes.c_double, ctypes.c_void_p, ctypes.c_void_p, ctypes.c_void_p)

    def run(calls: int) -> None:
        for _ in repeat(None, calls):
            native(0.5, None, None, None)

    return run
