"""Textures: what is between elements, to the last bit the same on the CPU and on the GPU."""

import itertools

import numpy as np
import pytest
from package import cuvec, module

pytestmark = pytest.mark.function("resample")


def expected(volume, points, nearest, beyond):
    """Each product and sum is rounded in the dtype of the volume, which NumPy does as well."""
    dtype = volume.dtype.type

    def element(index):
        clamped = tuple(
            min(max(i, 0), size - 1) for i, size in zip(index, volume.shape, strict=True)
        )
        return volume[clamped] if beyond == "clamp" or clamped == index else dtype(0)

    def value(point):
        if nearest:
            return element(tuple(int(np.floor(x)) for x in point[::-1]))
        places = [x - dtype(0.5) for x in point]
        floors = [np.floor(place) for place in places]
        corners = {
            offsets: element(
                tuple(int(it) + o for it, o in zip(floors[::-1], offsets, strict=True))
            )
            for offsets in itertools.product((0, 1), repeat=3)
        }
        for axis in (0, 1, 2):  # x lies innermost, and is the last index
            t = places[axis] - floors[axis]
            rest = {offsets[:-1] for offsets in corners}
            corners = {it: lerp(corners[*it, 0], corners[*it, 1], t) for it in rest}
        return corners[()]

    def lerp(a, b, t):
        return a + t * (b - a)

    return np.array([value(point) for point in points], dtype)


def points_of(shape, dtype, count=300):
    random = np.random.default_rng(7)
    return random.uniform(-2, np.array(shape[::-1]) + 2, (count, 3)).astype(dtype)


@pytest.mark.parametrize("make", [np.asarray, cuvec.asarray])
@pytest.mark.parametrize("beyond", ["clamp", "border"])
@pytest.mark.parametrize("nearest", [False, True])
@pytest.mark.parametrize("dtype", ["f4", "f8"])
def test_all_bits_of_volumes(dtype, nearest, beyond, make):
    volume = np.random.default_rng(3).normal(size=(4, 5, 6)).astype(dtype)
    points = points_of(volume.shape, dtype)
    y = module.resample(make(volume), make(points), nearest=nearest, beyond=beyond)
    np.testing.assert_array_equal(np.asarray(y), expected(volume, points, nearest, beyond))


@pytest.mark.parametrize("beyond", ["clamp", "border"])
def test_all_bits_of_images(beyond):
    volume = np.random.default_rng(4).normal(size=(1, 7, 9)).astype("f4")
    points = points_of(volume.shape, "f4")
    points[:, 2] = 0.5  # in the middle of the only image, whose neighbours have no weight
    y = module.resample(volume, points, beyond=beyond)
    np.testing.assert_array_equal(y, expected(volume, points, False, beyond))


def test_elements_are_at_their_centres():
    volume = np.arange(24, dtype="f4").reshape(2, 3, 4)
    z, y, x = np.indices(volume.shape).reshape(3, -1) + 0.5
    points = np.stack([x, y, z], 1).astype("f4")
    for nearest in (False, True):
        found = module.resample(volume, points, nearest=nearest, beyond="border")
        np.testing.assert_array_equal(found, volume.reshape(-1))


@pytest.mark.parametrize("far", [1e30, np.inf, -1e30, -np.inf, np.nan])
def test_far_away_and_nowhere(far):
    volume = np.ones((2, 2, 2), "f4")
    points = np.array([[far, 1, 1]], "f4")
    assert module.resample(volume, points, nearest=True, beyond="border") == [0]
    assert module.resample(volume, points, nearest=True) == [1]
    linear = module.resample(volume, points)
    assert np.isnan(linear) if np.isnan(far) else linear == [1]


def test_no_elements():
    assert module.resample(np.zeros((0, 2, 2), "f4"), np.ones((1, 3), "f4")).tolist() == [0]
