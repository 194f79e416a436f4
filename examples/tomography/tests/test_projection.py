"""`project` against what is known, and `backproject`, its adjoint."""

import numpy as np
import pytest

from tomography import backproject, cuvec, directions, phantom, project


def relative(difference, whole):
    """Root of the mean square, relative to the same of the whole."""
    return np.linalg.norm(difference) / np.linalg.norm(whole)


def test_chords_of_a_disc(disc):
    image, radius, (x0, y0), way = disc
    bins = 200
    at = np.arange(bins) - (bins - 1) / 2 - way @ np.array([[x0], [y0]], way.dtype)
    chords = 2 * np.sqrt(np.clip(radius**2 - at**2, 0, None))
    sinogram = project(image, way, bins)
    assert relative(sinogram - chords, chords) < 0.006
    far = np.abs(np.abs(at) - radius) > 3  # from the edge, where a chord changes within a pixel
    np.testing.assert_allclose(sinogram[far], chords[far], atol=0.6)


def test_each_angle_sees_the_whole(disc):
    image, *_, way = disc
    np.testing.assert_allclose(project(image, way, 240).sum(axis=1), image.sum(), rtol=0.002)


def test_a_pixel_is_where_it_should_be(dtype):
    """Right of the middle and above it: x cos + y sin."""
    image = cuvec.zeros((9, 9), dtype)
    image[2, 5] = 1  # x = 1, y = 2
    sinogram = project(image, directions(2, dtype), 9)
    np.testing.assert_allclose(sinogram, np.eye(9)[[4 + 1, 4 + 2]], atol=1e-6)


@pytest.mark.parametrize("shape", [(64, 64), (1, 1), (37, 90), (128, 5)])
@pytest.mark.parametrize("bins", [1, 50, 181])
def test_backproject_is_the_adjoint(random, directions_of, shape, bins):
    """⟨P x, y⟩ = ⟨x, Pᵀ y⟩, relative to the lengths of P x and y."""
    way = directions_of(45)
    x, y = random(*shape), random(45, bins)
    px, pty = (
        np.asarray(a, "float64") for a in (project(x, way, bins), backproject(y, way, *shape))
    )
    assert abs(np.vdot(px, y) - np.vdot(x, pty)) <= 1e-6 * np.linalg.norm(px) * np.linalg.norm(y)


def test_backproject_has_the_same_weights():
    """All of them: a column of the matrix for each pixel, a row of it for each ray."""
    shape, bins, way = (6, 7), 8, directions(16, "float64")
    pixels, rays = np.eye(42).reshape(42, *shape), np.eye(128).reshape(128, 16, bins)
    matrix = np.stack([project(pixel, way, bins).ravel() for pixel in pixels], axis=1)
    adjoint = np.stack([backproject(ray, way, *shape).ravel() for ray in rays])
    np.testing.assert_allclose(adjoint, matrix, atol=1e-14)
    assert np.count_nonzero(matrix) > 1000


def test_agrees_with_scikit_image():
    transform = pytest.importorskip("skimage.transform")
    size, degrees = 129, np.arange(180)  # an odd size: its middle of even ones is another
    image = phantom.activity(size).astype("float32")
    sinogram = project(image, directions(180), size)
    theirs = transform.radon(image, degrees, circle=True).T
    assert relative(sinogram - theirs, theirs) < 0.002

    back = backproject(sinogram, directions(180), size, size)
    options = {"filter_name": None, "circle": False, "output_size": size}
    theirs = transform.iradon(np.asarray(sinogram).T, degrees, **options) * 2 * 180 / np.pi
    assert relative(back - theirs, theirs) < 0.01


def test_a_direction_of_nothing_reads_nothing():
    nowhere = cuvec.zeros((1, 2), "float32")
    assert not np.nan_to_num(project(cuvec.ones((8, 8)), nowhere, 8)).any()
    backproject(cuvec.ones((1, 8)), np.full((1, 2), np.nan, "float32"), 8, 8)


@pytest.mark.parametrize(
    ("error", "match", "call"),
    [
        (ValueError, "directions", lambda: project(cuvec.ones((8, 8)), cuvec.ones((4, 3)), 8)),
        (ValueError, "angles", lambda: backproject(cuvec.ones((5, 8)), directions(4), 8, 8)),
        (TypeError, "dtype", lambda: project(cuvec.ones((8, 8)), directions(4, "float64"), 8)),
        (ValueError, "bins", lambda: project(cuvec.ones((8, 8)), directions(4), -1)),
        (ValueError, "4,194,304", lambda: project(cuvec.ones((1, 1)), directions(1), 1 << 23)),
    ],
)
def test_wrong_input(error, match, call):
    with pytest.raises(error, match=match):
        call()
