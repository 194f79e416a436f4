import numpy as np
import pytest
from mypkg import cuvec, matmul


@pytest.mark.parametrize("dtype", ["float32", "float64"])
@pytest.mark.parametrize("shape", [(1, 1, 1), (16, 16, 16), (33, 70, 17), (3, 0, 4), (0, 3, 4)])
def test_matmul(shape, dtype):
    (m, k, n), rng = shape, np.random.default_rng(1)
    a, b = rng.standard_normal((m, k)).astype(dtype), rng.standard_normal((k, n)).astype(dtype)
    tolerance = 1e-4 if dtype == "float32" else 1e-12
    np.testing.assert_allclose(matmul(cuvec.asarray(a), cuvec.asarray(b)), a @ b, rtol=tolerance, atol=tolerance)
