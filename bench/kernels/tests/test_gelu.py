import math

import ml_dtypes
import numpy as np
import pytest
from mypkg import cuvec, gelu


@pytest.mark.parametrize("dtype", [np.dtype("float32"), np.dtype("float16"), np.dtype(ml_dtypes.bfloat16)], ids=str)
@pytest.mark.parametrize("shape", [(1,), (3, 33), (0, 4)])
def test_gelu(shape, dtype):
    x = (3 * np.random.default_rng(1).standard_normal(shape)).astype(dtype)
    y = gelu(cuvec.asarray(x))
    assert y.dtype == dtype
    distribution = [0.5 * (1 + math.erf(value / math.sqrt(2))) for value in x.astype("float64").flat]
    expected = x.astype("float64") * np.reshape(distribution, shape)
    np.testing.assert_allclose(y.astype("float64"), expected, rtol=1e-2 if dtype != "float32" else 1e-5, atol=1e-6)
