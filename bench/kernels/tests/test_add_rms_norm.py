import ml_dtypes
import numpy as np
import pytest
from mypkg import add_rms_norm, cuvec


@pytest.mark.parametrize("dtype", [np.dtype("float32"), np.dtype("float16"), np.dtype(ml_dtypes.bfloat16)], ids=str)
@pytest.mark.parametrize("shape", [(5,), (3, 33), (2, 3, 1025), (3, 4096), (2, 40_000), (0, 4)])
def test_add_rms_norm(shape, dtype):
    random = np.random.default_rng(1)
    x, residual, weight = (random.standard_normal(it).astype(dtype) for it in (shape, shape, shape[-1]))
    y, added = add_rms_norm(*(cuvec.asarray(it) for it in (x, residual, weight)))
    np.testing.assert_array_equal(added, x + residual)
    expected = (x + residual).astype("float64")
    expected *= weight.astype("float64") / np.sqrt((expected**2).mean(-1, keepdims=True) + 1e-6)
    tolerance = 1e-2 if dtype != "float32" else 1e-5
    np.testing.assert_allclose(y.astype("float64"), expected, rtol=tolerance, atol=tolerance)
