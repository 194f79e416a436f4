"""A body that calls other functions of the package, as parts of its call."""

import threading

import numpy as np
import package
import pytest
from package import cuvec

pytestmark = pytest.mark.function("composed")


def arrays(n, dtype):
    rng = np.random.default_rng(n)
    return rng.integers(-5, 5, (n, n)).astype(dtype), rng.integers(-5, 5, n).astype(dtype)


@pytest.mark.parametrize("dtype", ["float32", "float64"])
@pytest.mark.parametrize("n", [1, 2, 33, 300])
def test_other_functions_calculate_its_results(n, dtype):
    a, x = arrays(n, dtype)
    y, product = package.module.composed(cuvec.asarray(a), cuvec.asarray(x))
    np.testing.assert_array_equal(y, a @ (a @ x))  # sums of small integers are exact
    assert product == np.float64(x) @ np.float64(np.asarray(y))


def test_arrays_of_other_libraries_and_out():
    a, x = arrays(40, "float64")
    out = np.empty(40), np.empty(())
    package.module.composed(a, x, out=out)
    np.testing.assert_array_equal(out[0], a @ (a @ x))
    assert out[1] == x @ out[0]


def test_one_that_is_empty():
    y, product = package.module.composed(cuvec.zeros((0, 0)), cuvec.zeros(0))
    assert (y.shape, product) == ((0,), 0)


@pytest.mark.function("miscomposed")
@pytest.mark.parametrize(
    ("how", "error", "message"),
    [
        (1, TypeError, "gemv(): has 5 arguments and results, not 3"),
        (2, ValueError, "gemv(): y is written to, but it is read-only"),
        (3, ValueError, "gemv(): x and y overlap in memory; pass a copy of one of them"),
        (4, TypeError, "the package has no function gemm, which a body calls"),
        (5, ValueError, "gemv(): x must have 1 dimension (n,), not shape (3, 3)"),
        (6, TypeError, "gemv(): alpha must be a scalar: float64"),
        (7, RuntimeError, "fail(): it went wrong"),
        (
            8,
            RuntimeError,
            "bodies call functions by `run` more than 32 deep: does one of them call itself?",
        ),
    ],
)
def test_what_is_wrong_is_the_error_of_the_function_that_is_called(how, error, message):
    a, x = map(cuvec.asarray, arrays(3, "float64"))
    with pytest.raises(error) as raised:
        package.module.miscomposed(how, a, x)
    assert str(raised.value) == f"miscomposed(): {message}"
    y = package.module.miscomposed(0, a, x)  # the next call is as if there had been none
    np.testing.assert_array_equal(y, np.asarray(a) @ np.asarray(x))


@pytest.mark.function("miscomposed")
def test_one_that_calls_itself_ends_no_thread_of_a_small_stack():
    a, x = map(cuvec.asarray, arrays(3, "float64"))
    raised = []

    def call():
        with pytest.raises(RuntimeError, match="deep") as error:
            package.module.miscomposed(8, a, x)
        raised.append(error.type)

    before = threading.stack_size(512 << 10)
    try:
        thread = threading.Thread(target=call)
        thread.start()
    finally:
        threading.stack_size(before)
    thread.join()
    assert raised == [RuntimeError]
