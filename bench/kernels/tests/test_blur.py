import numpy as np
import pytest
from mypkg import blur, cuvec


def reference(image, sigma):
    radius = int(np.ceil(3 * sigma))
    weights = np.exp(-0.5 * (np.arange(-radius, radius + 1) / sigma) ** 2)
    weights /= weights.sum()
    for axis in (1, 0):
        padding = [(radius, radius) if k == axis else (0, 0) for k in (0, 1)]
        padded = np.pad(image, padding, mode="edge")
        image = np.apply_along_axis(np.convolve, axis, padded, weights, "valid")
    return image


@pytest.mark.parametrize("dtype", ["float32", "float64"])
@pytest.mark.parametrize("shape", [(1, 1), (20, 31), (130, 64)])
@pytest.mark.parametrize("sigma", [0.5, 1, 2.5])
def test_blur(shape, sigma, dtype):
    image = np.random.default_rng(1).random(shape).astype(dtype)
    result = blur(cuvec.asarray(image), sigma=sigma)
    assert result.shape == shape
    assert result.dtype == dtype
    np.testing.assert_allclose(result, reference(image, sigma), rtol=1e-4 if dtype == "float32" else 1e-10)


def test_sigma_must_be_positive():
    with pytest.raises(ValueError, match="sigma must be positive"):
        blur(cuvec.ones((3, 3)), sigma=0)
