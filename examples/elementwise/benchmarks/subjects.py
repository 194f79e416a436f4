"""Bytes a second of additions, beside other libraries and a copy; and what it saves to do three things in one pass."""

import functools
import importlib.util
import os

import numpy as np

from elementwise import add, axpyz, cuvec, iadd, mul

SIZES = {"cpu": (1 << 16, 1 << 22), "cuda": (1 << 20, 1 << 26)}
REPEATS = 20  # calls that do not wait, until the device is waited for


def subjects(subject, size=None):
    """Yield what is measured; `subject(work, who, call, amount, unit)` makes it."""
    on_gpu = os.environ["CUVEC_DEVICE"] == "cuda"
    for n in [size] if size else SIZES["cuda" if on_gpu else "cpu"]:
        for work, who, arrays, call in calls(n, on_gpu):
            amount = REPEATS * arrays * 4 * n / 1e9
            yield subject(f"{work}, {n:,} float32", who, repeated(call, on_gpu), amount, "GB/s")


def calls(n, on_gpu):
    """Yield the work, who does it, how many arrays it reads and writes, and a call that does not wait."""
    x, y, z, scale, total, other = (numbers(n, on_gpu) for _ in range(6))
    stream = {"stream": cupy_stream()} if on_gpu else {}
    yield "x + y", "this package", 3, functools.partial(add, x, y, out=z, **stream)
    yield "x + y", "this package, in place", 3, functools.partial(iadd, x, y, **stream)
    yield from gpu_libraries(n) if on_gpu else numpy(n)

    def three_calls():
        mul(scale, x, out=total, **stream)
        mul(y, z, out=other, **stream)
        iadd(total, other, **stream)

    fused = functools.partial(axpyz, 0.5, x, y, z, out=total, **stream)
    yield "a x + y z", "this package", 4, fused
    yield "a x + y z", "this package, in three calls", 4, three_calls


def repeated(call, on_gpu):
    if not on_gpu:
        return lambda: [call() for _ in range(REPEATS)]
    import cupy

    def calls():
        for _ in range(REPEATS):
            call()
        cupy.cuda.Device().synchronize()

    return calls


def numbers(n, on_gpu):
    array = cuvec.asarray(np.random.default_rng(1).uniform(0.5, 1.5, n), "float32")
    if on_gpu:
        array.prefetch("device")
    return array


def cupy_stream():
    import cupy

    return cupy.cuda.Stream(non_blocking=True)


def numpy(n):
    x, y, z, other = np.ones((4, n), "float32")
    yield "x + y", "NumPy", 3, functools.partial(np.add, x, y, out=z)
    yield "x + y", "NumPy, a copy", 2, functools.partial(np.copyto, z, x)

    def three_calls():
        np.multiply(0.5, x, out=other)
        np.multiply(y, z, out=z)
        np.add(other, z, out=other)

    yield "a x + y z", "NumPy", 4, three_calls


def gpu_libraries(n):
    import cupy

    x, y, z = (cupy.ones(n, "float32") for _ in range(3))
    yield "x + y", "device copy", 2, functools.partial(z.data.copy_from_device_async, x.data, 4 * n)
    yield "x + y", "CuPy", 3, functools.partial(cupy.add, x, y, out=z)
    yield "a x + y z", "CuPy", 4, lambda: cupy.add(0.5 * x, y * z, out=z)
    if importlib.util.find_spec("torch"):
        import torch

        a, b, c = (torch.ones(n, device="cuda") for _ in range(3))
        yield "x + y", "PyTorch", 3, functools.partial(torch.add, a, b, out=c)
    if importlib.util.find_spec("numcu"):
        import cuvec as theirs
        import numcu

        p, q, r = (theirs.zeros(n, "float32") for _ in range(3))
        numcu.add(p, q, output=r)
        yield "x + y", "NumCu", 3, functools.partial(numcu.add, p, q, output=r, sync=False)
