"""Each function against NumPy, in float32 and complex64, returned, written to `out`, and in place."""

import numpy as np
import pytest

import elementwise
from elementwise import axpyz, cuvec, div, idiv

OPERATIONS = {"add": np.add, "sub": np.subtract, "mul": np.multiply, "div": np.divide}
TOLERANCE = {"rtol": 1e-6, "atol": 1e-6}


@pytest.fixture(params=["float32", "complex64"])
def dtype(request):
    return request.param


@pytest.fixture
def random(dtype):
    rng = np.random.default_rng(2)

    def make(*shape):
        """Numbers that are not near 0."""
        turn = rng.uniform(-3, 3, shape) if dtype == "complex64" else np.zeros(shape)
        numbers = rng.uniform(0.5, 2, shape) * np.exp(1j * turn)
        return cuvec.asarray(numbers if dtype == "complex64" else numbers.real, dtype)

    return make


@pytest.mark.parametrize("shape", [(0,), (1,), (100_003,), (3, 4, 5), ()])
@pytest.mark.parametrize("name", OPERATIONS)
def test_agrees_with_numpy(random, name, shape):
    x, y = random(*shape), random(*shape)
    function, in_place = getattr(elementwise, name), getattr(elementwise, f"i{name}")
    expected = OPERATIONS[name](np.asarray(x), np.asarray(y))
    np.testing.assert_allclose(function(x, y), expected, **TOLERANCE)

    out = cuvec.zeros_like(x)
    assert function(x, y, out=out) is out
    np.testing.assert_allclose(out, expected, **TOLERANCE)

    assert in_place(x, y) is None
    np.testing.assert_allclose(x, expected, **TOLERANCE)


@pytest.mark.parametrize("default", [0, -1.5, np.inf])
def test_division_by_zero(dtype, default):
    x, y = cuvec.asarray([6, 0, 5], dtype), cuvec.asarray([3, 0, 0], dtype)
    np.testing.assert_array_equal(
        div(x, y, default=default), np.array([2, default, default], dtype)
    )
    idiv(x, y, default=default)
    np.testing.assert_array_equal(x, np.array([2, default, default], dtype))


def test_division_by_zero_gives_zero_unless_told(dtype):
    assert not div(cuvec.ones(3, dtype), cuvec.zeros(3, dtype)).any()


def test_fused(random):
    x, y, z = (random(1000) for _ in range(3))
    np.testing.assert_allclose(axpyz(-2, x, y, z), -2 * x + y * z, rtol=1e-5, atol=1e-5)


@pytest.mark.parametrize("array", [np.asarray, cuvec.asarray], ids=["NumPy", "CuVec"])
def test_takes_arrays_of_numpy(array):
    np.testing.assert_array_equal(
        elementwise.add(array([1, 2], "f4"), np.array([3, 4], "f4")), [4, 6]
    )


@pytest.mark.parametrize("name", OPERATIONS)
def test_wrong_input(name):
    function, x = getattr(elementwise, name), cuvec.ones(3)
    with pytest.raises(ValueError, match="broadcast"):
        function(x, cuvec.ones(4))
    with pytest.raises(TypeError, match="dtype"):
        function(x, cuvec.ones(3, "complex64"))
    with pytest.raises(TypeError, match="float32 or complex64"):
        function(cuvec.ones(3, "float64"), cuvec.ones(3, "float64"))
    # It is copied first, which the functions in place do without.
    assert function(x, cuvec.ones(3), out=x) is x
