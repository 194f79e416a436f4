import numpy as np
import pytest
from mypkg import cuvec, histogram


@pytest.mark.parametrize("bins", [1, 10, 1000])
@pytest.mark.parametrize("n", [0, 1, 100_000])
def test_histogram(n, bins):
    x = np.random.default_rng(1).random(n, dtype="float32") * 3 - 1
    counts = histogram(cuvec.asarray(x), bins, low=0, high=1)
    assert counts.dtype == np.int64
    assert counts.shape == (bins,)
    inside = x[(x >= 0) & (x <= 1)]
    expected = np.bincount(np.minimum((inside * np.float32(bins)).astype(int), bins - 1), minlength=bins)
    np.testing.assert_array_equal(counts, expected)


def test_defaults_and_errors():
    assert histogram(cuvec.ones(5)).tolist() == [0] * 63 + [5]
    assert histogram(cuvec.ones(5), 0).tolist() == []
    with pytest.raises(ValueError, match="bins is a size and cannot be -1"):
        histogram(cuvec.ones(5), -1)
    with pytest.raises(TypeError, match="bins must be an integer, not float"):
        histogram(cuvec.ones(5), 2.5)
