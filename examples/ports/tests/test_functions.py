"""Each function against NumPy, where it is easy and where it is not."""

import numpy as np
import pytest

from ports import accelerations, convolve, cuvec, distances, flatfield, joint_histogram
from ports.programs import PROGRAMS, clusters, detector, edges, galaxy, registration

TOLERANCE = {"float32": {"rtol": 2e-4, "atol": 1e-5}, "float64": {"rtol": 1e-12, "atol": 1e-12}}


@pytest.fixture(params=TOLERANCE)
def dtype(request):
    return request.param


@pytest.fixture
def random(dtype):
    rng = np.random.default_rng(6)
    return lambda *shape: cuvec.asarray(rng.uniform(-1, 1, shape), dtype)


@pytest.mark.parametrize("size", [16, 100])
@pytest.mark.parametrize("name", PROGRAMS)
def test_of_a_program(name, size):
    program = PROGRAMS[name]
    inputs = program.inputs(size)
    expected = program.in_numpy(*inputs)
    np.testing.assert_allclose(program.function(*inputs), expected, **TOLERANCE["float32"])


@pytest.mark.parametrize("weights", [(1, 1), (3, 5), (9, 1)])
@pytest.mark.parametrize("shape", [(40, 31), (2, 3), (1, 1), (0, 4)])
def test_convolve(random, dtype, shape, weights):
    image, weights = random(*shape), random(*weights)
    expected = edges.in_numpy(np.asarray(image), np.asarray(weights))
    np.testing.assert_allclose(convolve(image, weights), expected, **TOLERANCE[dtype])


def test_convolve_turns_the_weights():
    image, weights = cuvec.zeros((5, 5)), cuvec.asarray(np.arange(9).reshape(3, 3), "float32")
    image[2, 2] = 1
    np.testing.assert_array_equal(convolve(image, weights)[1:4, 1:4], weights)


@pytest.mark.parametrize("shape", [(50, 3), (7, 1), (1, 4), (0, 2), (3, 0)])
def test_distances(random, dtype, shape):
    points = random(*shape)
    expected = clusters.in_numpy(np.asarray(points, "float64"))
    np.testing.assert_allclose(distances(points), expected, **TOLERANCE[dtype])


def test_flatfield_of_dead_pixels(dtype):
    raw, dark = cuvec.full(4, 150, dtype), cuvec.full(4, 100, dtype)
    flat = cuvec.asarray([200, 100, 50, 300], dtype)
    np.testing.assert_array_equal(flatfield(raw, dark, flat), [0.5, 0, 0, 0.25])
    np.testing.assert_array_equal(detector.in_numpy(raw, dark, flat), [0.5, 0, 0, 0.25])


def test_joint_histogram_of_borders():
    a = cuvec.asarray([0, 1, 0.5, -0.1, 1.1, np.nan, 0.25], "float32")
    b = cuvec.asarray([0, 1, 0.25, 0.5, 0.5, 0.5, np.inf], "float32")
    counts = joint_histogram(a, b, bins=2)
    np.testing.assert_array_equal(counts, [[1, 0], [1, 1]])
    assert counts.dtype == np.int64
    assert joint_histogram(a, b, bins=0).shape == (0, 0)


@pytest.mark.parametrize("bins", [1, 64, 100])
def test_joint_histogram_loses_nothing(bins):
    a, b = registration.inputs(80)
    counts = joint_histogram(a, b, bins)
    assert counts.sum() == a.size
    np.testing.assert_array_equal(counts.sum(axis=1), joint_histogram(a, a, bins).sum(axis=1))


@pytest.mark.parametrize("bodies", [300, 1, 0])
def test_accelerations(random, dtype, bodies):
    positions, masses = random(bodies, 3), random(bodies)
    expected = galaxy.in_numpy(np.asarray(positions, "float64"), np.asarray(masses, "float64"))
    given = accelerations(positions, masses)
    np.testing.assert_allclose(given, expected, rtol=1e-3 if dtype == "float32" else 1e-10)


def test_actio_is_reactio(random):
    positions, masses = random(60, 3), np.abs(random(60))
    forces = np.asarray(masses)[:, np.newaxis] * accelerations(positions, masses)
    np.testing.assert_allclose(forces.sum(axis=0), 0, atol=1e-6 * np.abs(forces).sum())
