import ml_dtypes
import numpy as np
import pytest
from mypkg import cuvec, rotate_halves


@pytest.mark.parametrize("dtype", [np.dtype("float32"), np.dtype(ml_dtypes.bfloat16)], ids=str)
@pytest.mark.parametrize("shape", [(1, 1, 1), (5, 3, 32), (7, 2, 5), (0, 2, 4)])
def test_halves_of_heads_in_place(shape, dtype):
    random = np.random.default_rng(1)
    tokens, heads, n = shape
    x = random.standard_normal((tokens, heads, 2 * n)).astype(dtype)
    angle = random.standard_normal((tokens, 1, n)).astype("float32")
    cosine, sine = np.cos(angle), np.sin(angle)
    a, b = x[..., :n].astype("float64"), x[..., n:].astype("float64")
    expected = np.concatenate((a * cosine - b * sine, a * sine + b * cosine), -1)
    y = cuvec.asarray(x)
    rotate_halves(y[..., :n], y[..., n:], cosine, sine)
    tolerance = 2e-2 if dtype != "float32" else 1e-5
    np.testing.assert_allclose(y.astype("float64"), expected, rtol=tolerance, atol=tolerance)
