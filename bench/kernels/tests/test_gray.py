import numpy as np
import pytest
from mypkg import cuvec, gray


@pytest.mark.parametrize("shape", [(3,), (20, 31, 3), (0, 3)])
def test_gray(shape):
    color = np.random.default_rng(1).integers(0, 256, shape, "uint8")
    expected = (color.astype("int64") @ [299, 587, 114] + 500) // 1000
    np.testing.assert_array_equal(gray(cuvec.asarray(color)), expected.astype("uint8"))
