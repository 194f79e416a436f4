"""Results of a dtype that follows from another: `-> y: real(T)(n)`."""

import numpy as np
import pytest
from errors import exactly
from package import module

pytestmark = pytest.mark.function("power")
power = getattr(module, "power", None)


@pytest.mark.parametrize(("dtype", "real"), [("complex64", "float32"), ("complex128", "float64")])
def test_dtype_of_the_real_part(dtype, real):
    x = np.array([[3 + 4j], [1j]], dtype)
    y = power(x)
    assert (y.dtype, y.shape) == (real, (2, 1))
    np.testing.assert_array_equal(y, [[25], [1]])


def test_out_has_that_dtype():
    x, out = np.array([3 + 4j], "complex64"), np.zeros(1, "float32")
    assert power(x, out=out) is out
    with pytest.raises(TypeError, match=exactly("out has dtype float64, but must have float32")):
        power(x, out=np.zeros(1))


def test_help_says_it():
    assert "y : array of real(T), any shape" in power.__doc__
