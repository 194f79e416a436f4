import numpy as np
import pytest
from mypkg import cuvec, top_k


@pytest.mark.parametrize("dtype", ["float32", "float64"])
@pytest.mark.parametrize(("shape", "k"), [((1,), 1), ((3, 100), 7), ((2, 3, 1025), 5), ((2, 4), 4), ((2, 4), 0)])
def test_top_k(shape, k, dtype):
    x = np.random.default_rng(1).integers(0, 50, shape).astype(dtype)  # with equal elements
    values, indices = top_k(cuvec.asarray(x), k)
    expected = np.argsort(-x, -1, kind="stable")[..., :k]
    np.testing.assert_array_equal(indices, expected)
    np.testing.assert_array_equal(values, np.take_along_axis(x, expected, -1))
    assert values.dtype == dtype


def test_more_than_a_row_has():
    with pytest.raises(RuntimeError, match="k is larger than a row"):
        top_k(cuvec.ones((2, 3)), 4)
