"""Results on streams: new arrays, scalars, scratch memory, host arrays, and captures."""

import native
import numpy as np
import pytest
from graphs import captured
from native import closed_gate, gate_that_opens
from package import axpy, cast, cuvec, dot, fail, gemv, histogram, iota, pieces, smooth

pytestmark = pytest.mark.gpu


def test_new_arrays_are_asynchronous(stream):
    x = cuvec.ones(1000)
    smooth(x, stream=stream)  # loading and allocating may synchronize
    cuvec.dev_sync()
    with closed_gate(stream):
        y = smooth(x, stream=stream)
        assert (type(y), y.shape, y.dtype) == (cuvec.CuVec, x.shape, x.dtype)
    cuvec.dev_sync()
    np.testing.assert_array_equal(y, x)


def test_a_scalar_result_synchronizes(stream):
    x = cuvec.asarray([1, 4, 9, 16], "i4")
    with gate_that_opens(stream):
        less, more, half, size = pieces(x, stream=stream)
        assert size == 4
    np.testing.assert_array_equal(less, [3, 5, 7])
    np.testing.assert_array_equal(more, [1, 4, 9, 16, -4, -5, -6, -7, -8])
    np.testing.assert_array_equal(half, [1, 9])


def test_a_scalar_result_in_out_is_asynchronous(stream):
    x, total = cuvec.ones(1000), cuvec.zeros((), "f8")
    dot(x, x, out=total, stream=stream)
    cuvec.dev_sync()
    total[...] = 0
    with closed_gate(stream):
        assert dot(x, x, out=total, stream=stream) is total
    cuvec.dev_sync()
    assert total == 1000


def test_a_scalar_result_in_out_is_an_argument_of_the_next_call(stream):
    x, total, sums = cuvec.ones(1000), cuvec.zeros((), "f8"), cuvec.zeros((), "f8")
    for _ in range(100):
        dot(x, x, out=total, stream=stream)
        axpy(1, total, sums, stream=stream)
    cuvec.dev_sync()
    assert sums == 100_000


def test_results_are_arguments_of_the_next_call(stream):
    x = cuvec.asarray(np.arange(100, dtype="f4"))
    with gate_that_opens(stream):
        y = gemv(cuvec.ones((100, 100)), x, beta=0, stream=stream)
        z = smooth(y, stream=stream)
        counts = histogram(z, 4, low=4949, high=4953, stream=stream)
    cuvec.dev_sync()
    np.testing.assert_array_equal(z, [4950] * 100)
    np.testing.assert_array_equal(counts, [0, 100, 0, 0])


def test_functions_without_arrays(stream):
    with gate_that_opens(stream):
        y = iota(1000, start=0, step=1, stream=stream)
    cuvec.dev_sync()
    np.testing.assert_array_equal(y, np.arange(1000))


def test_each_call_has_its_own_scratch_memory(stream):
    inputs = [cuvec.full(100_000, i) for i in range(20)]
    with gate_that_opens(stream):
        results = [smooth(x, stream=stream) for x in inputs]
        np.testing.assert_array_equal(smooth(inputs[7]), inputs[7])
    cuvec.dev_sync()
    for x, result in zip(inputs, results, strict=True):
        np.testing.assert_array_equal(result, x)


def test_scratch_memory_on_two_streams(stream):
    one, two = cuvec.full(100_000, 1), cuvec.full(100_000, 2)
    with native.new_stream(cuvec.device().index) as other:
        results = [
            (smooth(one, stream=stream), smooth(two, stream=other), smooth(one, stream=other))
            for _ in range(20)
        ]
        cuvec.dev_sync()
        for result in results:
            for y, value in zip(result, (1, 2, 1), strict=True):
                np.testing.assert_array_equal(y, np.full(100_000, value))


def test_temporaries_and_dropped_results_are_retained_until_the_gpu_is_done(stream):
    with gate_that_opens(stream):
        y = gemv(cuvec.full((100, 1000), 3), cuvec.ones(1000), stream=stream)
        smooth(cuvec.full(1000, 3), stream=stream)
        others = [cuvec.full(size, 99) for size in [100, 1000, 100_000] * 4]
        cuvec.dev_sync()
    np.testing.assert_array_equal(y, [2999.5] * 100)
    assert all((other == 99).all() for other in others)


def test_calls_with_host_arrays_are_synchronous(stream):
    a, x = np.ones((3, 4), "f4"), np.ones(4, "f4")
    out = np.zeros(3, "f4")
    assert gemv(a, x, out=out, stream=stream) is out
    np.testing.assert_array_equal(out, [3.5] * 3)
    np.testing.assert_array_equal(gemv(a, x, stream=stream), [3.5] * 3)
    plain = np.full((3, 4), 77, "c8")
    cast(cuvec.ones((3, 4)), plain, stream=stream)
    np.testing.assert_array_equal(plain, np.ones((3, 4)))
    total = np.zeros((), "f8")
    assert dot(x, x, out=total, stream=stream) is total
    assert total == 4


def test_a_body_that_throws_does_not_change_the_stream(stream):
    y = cuvec.ones(1000, "i4")
    for _ in range(3):
        with pytest.raises(RuntimeError, match=r"^fail\(\): it went wrong$"):
            fail(3, y, stream=stream)
    x = cuvec.ones(1000)
    assert dot(x, x, stream=stream) == 1000
    assert (y == 1).all()


def test_errors_of_out_come_before_anything_is_enqueued(stream):
    x, out = cuvec.ones(1000), cuvec.zeros(1000)
    with pytest.raises(ValueError, match="overlap"):
        smooth(x, out=x, stream=stream)
    with pytest.raises(TypeError, match="dtype"):
        smooth(x, out=cuvec.zeros(1000, "f8"), stream=stream)
    smooth(x, out=out, stream=stream)
    cuvec.dev_sync()
    np.testing.assert_array_equal(out, x)


@pytest.mark.parametrize("name", ["axpy", "smooth", "dot", "new array"])
def test_calls_are_captured_or_refused(name, stream):
    """They never run at once, to be missing in the graph."""
    x, y, total = cuvec.full(1000, 2), cuvec.zeros(1000), cuvec.zeros((), "f8")
    call, result, expected = {
        "axpy": (lambda: axpy(1, x, y, stream=stream), y, [0, 2, 4, 6]),
        "smooth": (lambda: smooth(x, out=y, stream=stream), y, [0, 2, 2, 2]),
        "dot": (lambda: dot(x, x, out=total, stream=stream), total, [0, 4000, 4000, 4000]),
        "new array": (lambda: axpy(1, smooth(x, stream=stream), y, stream=stream), y, [0, 2, 4, 6]),
    }[name]
    call()  # loads modules, which cannot be done during a capture
    cuvec.dev_sync()
    result[...] = 0
    with captured(stream, call) as replay:
        for times in range(4):
            cuvec.dev_sync()
            assert (result == (expected[times] if replay else 0)).all()
            if replay:
                replay()
    call()
    cuvec.dev_sync()
    assert (result != 0).all()
