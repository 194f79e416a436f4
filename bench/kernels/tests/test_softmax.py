import ml_dtypes
import numpy as np
import pytest
from mypkg import cuvec, softmax


@pytest.mark.parametrize("dtype", [np.dtype("float32"), np.dtype("float16"), np.dtype(ml_dtypes.bfloat16)], ids=str)
@pytest.mark.parametrize("shape", [(1,), (3, 33), (2, 3, 1025), (3, 4096), (2, 40_000), (0, 4)])
def test_softmax(shape, dtype):
    x = (10 * np.random.default_rng(1).standard_normal(shape)).astype(dtype)
    y = softmax(cuvec.asarray(x))
    assert y.dtype == dtype
    expected = np.exp(x.astype("float64") - x.astype("float64").max(-1, keepdims=True))
    expected /= expected.sum(-1, keepdims=True)
    np.testing.assert_allclose(y.astype("float64"), expected, rtol=1e-2 if dtype != "float32" else 1e-5, atol=1e-7)
