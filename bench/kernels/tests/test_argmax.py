import numpy as np
import pytest
from mypkg import argmax, cuvec


@pytest.mark.parametrize("dtype", ["float32", "float64", "int32"])
@pytest.mark.parametrize("shape", [(1,), (3, 100), (2, 3, 1025), (0, 4)])
def test_argmax(shape, dtype):
    x = np.random.default_rng(1).integers(-50, 50, shape).astype(dtype)  # with equal elements
    np.testing.assert_array_equal(argmax(cuvec.asarray(x)), np.argmax(x, -1))


def test_rows_without_elements():
    with pytest.raises(RuntimeError, match="rows are empty"):
        argmax(cuvec.ones((2, 0)))
