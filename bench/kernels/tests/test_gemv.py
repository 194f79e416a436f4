import numpy as np
import pytest
from mypkg import cuvec, gemv


@pytest.mark.parametrize("dtype", ["float32", "float64"])
@pytest.mark.parametrize("shape", [(1, 1), (3, 5), (1000, 33), (7, 4097), (3, 0), (0, 3)])
def test_gemv(shape, dtype):
    rng = np.random.default_rng(1)
    a, x = rng.standard_normal(shape).astype(dtype), rng.standard_normal(shape[1]).astype(dtype)
    y = gemv(a, x)
    assert isinstance(y, cuvec.CuVec)
    assert y.dtype == dtype
    tolerance = 1e-4 if dtype == "float32" else 1e-12
    np.testing.assert_allclose(y, a @ x, rtol=tolerance, atol=tolerance)
    out = cuvec.ones(shape[0], dtype)
    assert gemv(cuvec.asarray(a), cuvec.asarray(x), out=out) is out
    np.testing.assert_array_equal(out, y)


def test_sizes_that_differ():
    with pytest.raises(ValueError, match=r"x has shape \(3,\), but n is 4 in a of shape \(2, 4\)"):
        gemv(np.ones((2, 4)), np.ones(3))
