import ml_dtypes
import numpy as np
import pytest
from mypkg import cuvec, quantize_rows


@pytest.mark.parametrize("dtype", [np.dtype("float32"), np.dtype(ml_dtypes.bfloat16)], ids=str)
@pytest.mark.parametrize("shape", [(1,), (3, 33), (2, 3, 128), (2, 40_000), (0, 4)])
def test_the_largest_becomes_448(shape, dtype):
    x = np.random.default_rng(1).standard_normal(shape).astype(dtype)
    q, scale = quantize_rows(cuvec.asarray(x))
    expected = x.astype("float64")
    largest = np.abs(expected).max(-1, initial=0)
    np.testing.assert_allclose(scale, np.where(largest > 0, largest / 448, 1), rtol=1e-6)
    np.testing.assert_array_equal(np.abs(q.astype("float64")).max(-1, initial=0), np.where(largest > 0, 448, 0))
    returned = q.astype("float64") * np.asarray(scale)[..., None]
    np.testing.assert_allclose(returned, expected, rtol=2**-4, atol=largest.max(initial=0) * 2**-17)


def test_zeros_stay_zeros():
    q, scale = quantize_rows(cuvec.zeros((2, 128), "float32"))
    assert not q.astype("float32").any()
    np.testing.assert_array_equal(scale, 1)
