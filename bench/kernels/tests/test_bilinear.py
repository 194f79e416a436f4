import numpy as np
import pytest
from mypkg import bilinear, cuvec


def reference(image, at):
    (h, w), (y, x) = image.shape, at.T
    y, x = np.clip(y, 0, h - 1), np.clip(x, 0, w - 1)
    i, j = y.astype(int), x.astype(int)
    v, u = y - i, x - j
    below, beside = np.minimum(i + 1, h - 1), np.minimum(j + 1, w - 1)
    upper = (1 - u) * image[i, j] + u * image[i, beside]
    return (1 - v) * upper + v * ((1 - u) * image[below, j] + u * image[below, beside])


@pytest.mark.parametrize("dtype", ["float32", "float64"])
@pytest.mark.parametrize("shape", [(1, 1), (20, 31)])
def test_bilinear(shape, dtype):
    rng = np.random.default_rng(1)
    image = rng.random(shape).astype(dtype)
    at = (rng.random((1000, 2)) * 40 - 5).astype(dtype)
    tolerance = 1e-4 if dtype == "float32" else 1e-12
    np.testing.assert_allclose(bilinear(cuvec.asarray(image), cuvec.asarray(at)), reference(image, at), rtol=tolerance)
