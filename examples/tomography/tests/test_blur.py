"""`blur` against the formula of a Gaussian."""

import numpy as np
import pytest

from tomography import blur, cuvec


def test_a_point_becomes_a_gaussian(dtype):
    image = cuvec.zeros((41, 33), dtype)
    image[20, 16] = 5
    y, x = np.ogrid[-20:21, -16:17]
    gaussian = 5 * np.exp(-(x**2 + y**2) / (2 * 1.7**2)) / (2 * np.pi * 1.7**2)
    np.testing.assert_allclose(blur(image, 1.7), gaussian, atol=2e-4)


@pytest.mark.parametrize("shape", [(30, 40), (1, 1), (3, 200)])
def test_is_its_own_adjoint(random, shape):
    x, y = random(*shape), random(*shape)
    gx, gy = (np.asarray(blur(a, 2.5), "float64") for a in (x, y))
    assert abs(np.vdot(gx, y) - np.vdot(x, gy)) <= 1e-6 * np.linalg.norm(gx) * np.linalg.norm(y)


@pytest.mark.parametrize("sigma", [0, -1, float("nan"), 1e5])
def test_wrong_sigma(sigma):
    with pytest.raises(ValueError, match="sigma must be positive"):
        blur(cuvec.ones((4, 4)), sigma)
