"""Failures that kernels notice: exceptions, on the GPU as on the CPU, and everything works afterwards."""

import ctypes
import os
import re

import native
import numpy as np
import package
import pytest
from errors import check_that_everything_works
from graphs import captured
from package import axpy, cuvec, gather, root

MAKE = {"cuvec": cuvec.asarray, "numpy": np.asarray}
makes = pytest.mark.parametrize("make", MAKE.values(), ids=MAKE)
DEBUG = os.environ.get("DEBUG") == "ON"  # as the package was built
SIZES = [1, 33, 100_003]


def either(in_cuda, in_rust):
    """Return a pattern for what a kernel in either language says; in Rust it is told where."""
    return f"^(?:{re.escape(in_cuda)}|{re.escape(in_rust)})$"


def out_of_range(index, n):
    said = f"kernels/gather.rs:6: there is no element {index} in an array of {n}"
    return either(f"gather(): index is out of range: {index}", said)


def fails(call, message):
    with pytest.raises(RuntimeError, match=message) as caught:
        call()
    assert caught.type is RuntimeError


@pytest.fixture
def rows():
    """Return an array, and indices of which one is out of range."""
    index = np.zeros(1000, "i8")
    index[77] = 10
    return cuvec.asarray(np.arange(10, dtype="f4")), cuvec.asarray(index)


@makes
@pytest.mark.parametrize("n", SIZES)
def test_indices_within_range(make, n):
    x, index = np.arange(n, dtype="f4"), np.arange(n)[::-1].copy()
    np.testing.assert_array_equal(gather(make(x), make(index)), x[::-1])


@makes
@pytest.mark.parametrize("n", SIZES)
def test_one_index_out_of_range(make, n):
    x, index = make(np.arange(n, dtype="f4")), np.zeros(n, "i8")
    index[n // 2] = n + 7
    fails(lambda: gather(x, make(index)), out_of_range(n + 7, n))
    check_that_everything_works()
    np.testing.assert_array_equal(gather(x, make(np.zeros(n, "i8"))), np.zeros(n))


@makes
@pytest.mark.parametrize("n", SIZES)
def test_when_all_threads_fail_one_is_heard(make, n):
    x, index = make(np.zeros(3, "f4")), make(np.full(n, 9))
    for _ in range(3):
        fails(lambda: gather(x, index), out_of_range(9, 3))
    check_that_everything_works()


@makes
@pytest.mark.parametrize("n", SIZES)
@pytest.mark.parametrize("dtype", ["f4", "f8"])
def test_an_element_wise_body(make, n, dtype):
    x = np.full(n, 4, dtype)
    np.testing.assert_array_equal(root(make(x)), np.full(n, 2))
    x[n // 2] = -1
    message = either("root(): x is negative", "kernels/root.rs:6: x is negative")
    fails(lambda: root(make(x)), message)
    check_that_everything_works()


def test_negative_indices_are_told_as_they_are(rows):
    x, index = rows
    index[77] = -5
    fails(lambda: gather(x, index), out_of_range(-5, 10))


@pytest.mark.gpu
def test_the_error_of_an_asynchronous_call_is_raised_by_who_waits(rows, stream):
    gather(*rows, stream=stream)
    fails(cuvec.dev_sync, out_of_range(10, 10))
    cuvec.dev_sync()  # once
    check_that_everything_works()


@pytest.mark.gpu
def test_an_array_that_is_exported_to_the_host_raises(rows, stream):
    y = gather(*rows, stream=stream)
    fails(lambda: y.__dlpack__(dl_device=(1, 0)), out_of_range(10, 10))
    check_that_everything_works()


@pytest.mark.gpu
@pytest.mark.parametrize("asynchronous", [False, True])
def test_the_next_call_raises_and_does_nothing(rows, stream, asynchronous):
    x, y = cuvec.ones(3), cuvec.zeros(3)
    gather(*rows, stream=stream)
    native.driver("cuStreamSynchronize", ctypes.c_void_p(stream))
    options = {"stream": stream} if asynchronous else {}
    fails(lambda: axpy(1, x, y, **options), out_of_range(10, 10))
    cuvec.dev_sync()
    np.testing.assert_array_equal(y, np.zeros(3))
    check_that_everything_works()


@pytest.mark.gpu
def test_the_first_error_wins(rows, stream):
    x, index = rows
    indices = []
    for wrong in (11, 12, 13):
        index[77] = wrong
        indices.append(cuvec.asarray(np.array(index)))
    with native.closed_gate(stream):
        for index in indices:
            gather(x, index, stream=stream)
    fails(cuvec.dev_sync, out_of_range(11, 10))
    cuvec.dev_sync()
    check_that_everything_works()


@pytest.mark.gpu
def test_kernels_of_a_graph(rows, stream):
    x, index = rows
    y = cuvec.zeros(index.size)
    gather(x, cuvec.zeros(index.size, "i8"), out=y)  # loads the kernel
    with captured(stream, lambda: gather(x, index, out=y, stream=stream)) as replay:
        for _ in range(2):
            replay()
            fails(cuvec.dev_sync, out_of_range(10, 10))
        index[77] = 5
        replay()
        cuvec.dev_sync()
        assert y[77] == 5


@pytest.mark.gpu
def test_an_earlier_error_does_not_end_a_capture(rows, stream):
    x, index = rows
    right, y = cuvec.zeros(index.size, "i8"), cuvec.zeros(index.size)
    gather(x, right, out=y)
    y[:] = 7
    gather(x, index, stream=stream)
    native.driver("cuStreamSynchronize", ctypes.c_void_p(stream))

    def calls():
        fails(lambda: gather(x, right, out=y, stream=stream), out_of_range(10, 10))
        gather(x, right, out=y, stream=stream)

    with captured(stream, calls, mode=0) as replay:
        replay()
        cuvec.dev_sync()
        np.testing.assert_array_equal(y, np.zeros(index.size))


@pytest.mark.function("twice_at")
@makes
@pytest.mark.parametrize(
    ("i", "j", "line", "index", "size"),
    [(0, 4, 7, 4, 4), (1, 4, 6, 8, 8), (-1, 1, 6, -3, 8)],
)
def test_indices_of_views_in_a_debug_build(make, i, j, line, index, size):
    if (
        not DEBUG
    ):  # nothing is checked: what is before and behind, of an array that is used in place
        x = cuvec.asarray(np.arange(16, dtype="f4"))[4:12].reshape(2, 4)
        assert package.module.twice_at(x, i, j) == 2 * (4 + 4 * i + j)
        return
    x = make(np.arange(16, dtype="f4"))[4:12].reshape(2, 4)
    message = rf"/twice_at\.cu:{line}: there is no element {index} in an array of {size}$"
    fails(lambda: package.module.twice_at(x, i, j), message)
    check_that_everything_works()
    assert package.module.twice_at(x, 1, 3) == 22
