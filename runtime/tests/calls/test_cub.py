"""`call.cub`: an algorithm of CUB, with scratch memory of the call."""

import numpy as np
import package
import pytest
from package import cuvec

pytestmark = pytest.mark.function("prefix_sums")


@pytest.mark.parametrize("n", [1, 33, 100_000])
def test_sums(n):
    x = np.random.default_rng(n).integers(-99, 99, n)
    np.testing.assert_array_equal(package.module.prefix_sums(cuvec.asarray(x)), np.cumsum(x))
