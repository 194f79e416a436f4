"""Contestants on the CPU: packages, NumPy, and a loop in C, which is compiled here."""

from __future__ import annotations

import ctypes
import math
import operator
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
    function: str, dtype: np.dtype[Any], elements: int, packages: dict[str, Any], library: ctypes.CDLL, threads: int
) -> dict[str, Run]:
    """Contestants by name; each has given the right result once.

    A package is named, and has arrays of its own; with " staged" after the name it has NumPy's, with " out" one for the
    result as well. All others begin with "NumPy" or with "C": the fastest is what a package is compared with. Only
    "float64" is not among them: NumPy's sum of float32 with the precision that packages have.
    """
    data = arrays(function, dtype, elements)
    runs = of_numpy(function, *data)
    for count in sorted({1, threads}):
        runs[f"C, {count}"] = c_loop(library, function, count, *(x.copy() for x in data))
    for name, package in packages.items():
        own = [package.cuvec.asarray(x) for x in data]
        for kind, (x, y) in (("", own), (" staged", data)):
            check(package, function, x, y)
            runs[name + kind] = repeated(getattr(package, function), *([0.5] if function == "axpy" else []), x, y)
        if function == "gemv":
            runs[f"{name} out"] = into(package.cuvec.asarray(np.empty_like(data[1])), package.gemv, *own)
    return runs


def arrays(function: str, dtype: np.dtype[Any], elements: int) -> list[Any]:
    """Two of so many elements; for gemv a square matrix of so many, and a vector."""
    n = math.isqrt(elements)
    shapes = [(n, n), (n,)] if function == "gemv" else [(elements,), (elements,)]
    random = np.random.default_rng(elements)
    return [random.standard_normal(shape).astype(dtype) for shape in shapes]


def of_numpy(function: str, x: Any, y: Any) -> dict[str, Run]:
    if function == "axpy":
        return {"NumPy": numpy_axpy(x, y), "NumPy, two steps": numpy_axpy_in_steps(x, y)}
    if function == "gemv":
        return {"NumPy": repeated(operator.matmul, x, y), "NumPy, out": into(np.empty_like(y), np.matmul, x, y)}
    runs = {"NumPy": repeated(np.dot, x, y), "NumPy, vdot": repeated(np.vdot, x, y)}
    if x.dtype == np.float32:
        runs["float64"] = repeated(lambda x, y: np.vecdot(x, y, dtype=np.float64), x, y)
    return runs


def check(package: Any, function: str, x: Any, y: Any) -> None:
    exact_x, exact_y = (np.array(array, np.float64) for array in (x, y))
    eps = np.finfo(x.dtype).eps
    if function == "axpy":
        package.axpy(0.5, x, y)
        np.testing.assert_allclose(y, exact_y + 0.5 * exact_x, rtol=4 * eps, atol=1e-6)
        return
    tolerance = 1e-12 if function == "dot" else 64 * eps
    error = np.abs(getattr(package, function)(x, y) - exact_x @ exact_y)
    assert np.all(error <= tolerance * (abs(exact_x) @ abs(exact_y)))


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


def into(out: Any, function: Callable[..., object], x: object, y: object) -> Run:
    def run(calls: int) -> None:
        for _ in repeat(None, calls):
            function(x, y, out=out)

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
    alive = (x, y, np.empty_like(y)) if function == "gemv" else (x, y)
    pointers = [ctypes.c_void_p(array.ctypes.data) for array in alive]
    factor = [ctypes.c_double(0.5)] if function == "axpy" else []

    def run(calls: int, _alive: object = alive) -> None:
        native(*factor, *pointers, ctypes.c_size_t(y.size), ctypes.c_int(threads), ctypes.c_size_t(calls))

    return run
