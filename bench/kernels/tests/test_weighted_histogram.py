import numpy as np
import pytest
from mypkg import cuvec, weighted_histogram


@pytest.mark.parametrize("dtype", ["float32", "float64"])
@pytest.mark.parametrize("n", [0, 1, 100_003])
def test_weighted_histogram(n, dtype):
    rng = np.random.default_rng(1)
    bins, weight = rng.integers(0, 37, n), rng.random(n).astype(dtype)
    total = weighted_histogram(cuvec.asarray(bins), cuvec.asarray(weight), 37)
    expected = np.bincount(bins, weight.astype("float64"), 37)
    np.testing.assert_allclose(total, expected, rtol=1e-3 if dtype == "float32" else 1e-12)


def test_bins_that_are_not_there():
    with pytest.raises(RuntimeError, match="bin is out of range"):
        weighted_histogram(cuvec.asarray(np.array([0, 5])), cuvec.ones(2), 5)
