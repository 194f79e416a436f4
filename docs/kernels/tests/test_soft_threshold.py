import numpy as np
import pytest

from mypkg import soft_threshold


@pytest.mark.parametrize("dtype", ["float32", "float64"])
def test_moves_towards_zero(dtype):
    x = np.linspace(-2, 2, 1001, dtype=dtype)
    expected = np.sign(x) * np.maximum(np.abs(x) - 0.5, 0)
    np.testing.assert_array_equal(soft_threshold(x, 0.5), expected)
