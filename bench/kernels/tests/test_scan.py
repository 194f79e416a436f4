import numpy as np
import pytest
from mypkg import cuvec, scan


@pytest.mark.parametrize("dtype", ["float32", "float64", "int64"])
@pytest.mark.parametrize("shape", [(0,), (1,), (3, 128), (2, 3, 1025), (1, 40_000)])
def test_scan(shape, dtype):
    x = np.random.default_rng(1).integers(-9, 9, shape).astype(dtype)  # sums are exact
    np.testing.assert_array_equal(scan(cuvec.asarray(x)), np.cumsum(x, -1))
