import numpy as np
import pytest
from mypkg import cuvec, kmeans


@pytest.mark.parametrize("dtype", ["float32", "float64"])
@pytest.mark.parametrize("n", [1, 10_003])
def test_kmeans(n, dtype):
    rng = np.random.default_rng(1)
    x, center = (rng.integers(-99, 99, (size, 3)).astype(dtype) for size in (n, 7))  # sums are exact
    label, total, count = kmeans(cuvec.asarray(x), cuvec.asarray(center))
    expected = np.argmin(((x[:, None] - center) ** 2).sum(-1), -1)
    np.testing.assert_array_equal(label, expected)
    np.testing.assert_array_equal(count, np.bincount(expected, minlength=7))
    np.testing.assert_array_equal(total, [x[expected == k].sum(0) for k in range(7)])
