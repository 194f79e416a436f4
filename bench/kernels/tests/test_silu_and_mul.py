import ml_dtypes
import numpy as np
import pytest
from mypkg import cuvec, silu_and_mul, silu_and_mul_bwd


def halves(random, rows, n, dtype):
    whole = cuvec.asarray((3 * random.standard_normal((rows, 2 * n))).astype(dtype))
    return whole[:, :n], whole[:, n:]


@pytest.mark.parametrize("dtype", [np.dtype("float32"), np.dtype("float16"), np.dtype(ml_dtypes.bfloat16)], ids=str)
@pytest.mark.parametrize("shape", [(1, 1), (3, 33), (40, 1024), (0, 4)])
def test_halves_of_rows(shape, dtype):
    random = np.random.default_rng(1)
    gate, up = halves(random, *shape, dtype)
    dy = cuvec.asarray(random.standard_normal(shape).astype(dtype))
    out = halves(random, *shape, dtype)
    silu_and_mul_bwd(dy, gate, up, out=out)
    a, b, grad = (it.astype("float64") for it in (gate, up, dy))
    part = 1 / (1 + np.exp(-a))
    tolerance = {"rtol": 2e-2, "atol": 2e-2} if dtype != "float32" else {"rtol": 1e-5, "atol": 1e-6}
    np.testing.assert_allclose(silu_and_mul(gate, up).astype("float64"), a * part * b, **tolerance)
    np.testing.assert_allclose(out[0].astype("float64"), grad * b * part * (1 + a * (1 - part)), **tolerance)
    np.testing.assert_allclose(out[1].astype("float64"), grad * a * part, **tolerance)
