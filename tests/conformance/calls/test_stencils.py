"""Kernels that read neighbours of an element: `each y[i, j] with x.edge(1) { … }`, and `Edge<T, 2> x` in CUDA C++."""

import contextlib
import threading
from concurrent.futures import ThreadPoolExecutor

import numpy as np
import pytest
from package import core, cuvec, module

pytestmark = pytest.mark.function("around")
around = getattr(module, "around", None)
has_halo = pytest.mark.skipif(
    "far" not in core.signatures.get("around", ""), reason="neighbours may be at any distance"
)

SHAPES = [(0, 3), (3, 0), (1, 1), (1, 2), (2, 33), (31, 32), (32, 64), (33, 65), (257, 1000)]


@pytest.mark.parametrize("dtype", ["float32", "complex128"])
@pytest.mark.parametrize("shape", SHAPES)
def test_boundary_modes(shape, dtype):
    values = np.random.default_rng(1).integers(0, 1000, (2, *shape))
    x, y = (cuvec.asarray(it, dtype) for it in values)
    total = around(x, y)
    if total.size == 0:
        assert total.shape == shape
        return
    inner, outer = np.pad(x, 1, mode="edge"), np.pad(y, 2, mode="wrap")

    def at(padded, halo, down, right):
        rows, columns = shape
        return padded[halo + down :, halo + right :][:rows, :columns]

    expected = at(inner, 1, -1, 0) + at(inner, 1, 1, -1) + at(inner, 1, 0, 0)
    expected += at(outer, 2, -2, 2) + at(outer, 2, 2, 1)
    np.testing.assert_array_equal(total, expected)


@has_halo
@pytest.mark.may_skip
def test_an_offset_beyond_the_halo_is_an_error():
    x = cuvec.ones((40, 40))
    with pytest.raises(
        RuntimeError, match=r"around\.rs:\d+: an element 3 away is not near: the declaration says 2"
    ):
        around(x, x, far=3)
    np.testing.assert_array_equal(around(x, x), np.full((40, 40), 5))


@has_halo
@pytest.mark.may_skip
def test_each_call_raises_its_own_error():
    x = cuvec.ones((40, 40))
    done = threading.Event()

    def fail():
        with pytest.raises(RuntimeError, match=r"around\.rs:\d+"):
            around(x, x, far=3)

    def succeed():
        while not done.is_set():
            with contextlib.suppress(RuntimeError):  # of a concurrent call
                around(x, x)

    def fail_often():
        for _ in range(300):
            fail()

    with ThreadPoolExecutor() as pool:
        others = [pool.submit(succeed) for _ in range(2)]
        failing = [pool.submit(fail_often) for _ in range(2)]
        try:
            for each in failing:
                each.result()
        finally:
            done.set()
    for each in others:
        each.result()


def test_arrays_of_other_shapes_are_refused():
    with pytest.raises(ValueError, match="height"):
        around(cuvec.ones((4, 5)), cuvec.ones((5, 5)))
