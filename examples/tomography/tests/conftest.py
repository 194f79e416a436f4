from functools import partial

import numpy as np
import pytest

from tomography import cuvec, directions


@pytest.fixture(params=["float32", "float64"])
def dtype(request):
    return request.param


@pytest.fixture
def disc(dtype):
    """An image of a disc with its radius and its middle (to the right, upwards), and the directions to look from."""
    size, radius, x0, y0 = 160, 40.3, 11.5, -17.25
    fine = np.arange(8 * size) / 8 + 1 / 16 - size / 2
    inside = (fine - x0) ** 2 + (-fine[:, np.newaxis] - y0) ** 2 <= radius**2
    image = inside.reshape(size, 8, size, 8).mean(axis=(1, 3))
    return cuvec.asarray(image, dtype), radius, (x0, y0), directions(60, dtype)


@pytest.fixture
def random(dtype):
    """Makes arrays of random numbers."""
    rng = np.random.default_rng(7)
    return lambda *shape: cuvec.asarray(rng.standard_normal(shape), dtype)


@pytest.fixture
def directions_of(dtype):
    return partial(directions, dtype=dtype)
