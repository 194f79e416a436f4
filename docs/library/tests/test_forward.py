import numpy as np

from mypkg import forward


def test_forward() -> None:
    x = np.ones(4, "float32")
    np.testing.assert_array_equal(forward(x), [1, 2, 3, 4])
