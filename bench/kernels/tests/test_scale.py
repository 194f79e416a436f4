import numpy as np
import pytest
from mypkg import cuvec, scale


@pytest.mark.parametrize("make", [cuvec.asarray, np.array], ids=["cuvec", "numpy"])
@pytest.mark.parametrize("dtype", ["float32", "float64"])
@pytest.mark.parametrize("shape", [(0,), (1,), (5,), (100_003,), (30, 7)])
def test_scale(shape, dtype, make):
    expected = np.random.default_rng(1).standard_normal(shape).astype(dtype)
    x = make(expected)
    assert scale(3, x) is None
    np.testing.assert_array_equal(x, 3 * expected)
    scale(a=0.5, x=x[1:])  # a part that begins elsewhere
    np.testing.assert_array_equal(x[1:], 1.5 * expected[1:])
