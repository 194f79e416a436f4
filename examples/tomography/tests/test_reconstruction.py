"""EM against its properties: counts are kept, the likelihood never falls, the activity comes out."""

from itertools import islice, pairwise

import numpy as np
import pytest

from tomography import em_ratio, em_update, fbp, log_likelihood, mlem, osem, scan
from tomography.results import error


@pytest.fixture
def scanned(dtype):
    return scan(48, angles=60, counts=5e5, dtype=dtype)


def nth(images, number):
    return next(islice(images, number - 1, None))


def test_likelihood_never_falls(scanned, dtype):
    scanner, data, _ = scanned
    values = [log_likelihood(scanner, data, image) for image in islice(mlem(scanner, data), 60)]
    rounding = {"float32": 2e-8, "float64": 1e-15}[dtype] * abs(values[-1])
    assert all(after >= before - rounding for before, after in pairwise(values))
    assert values[-1] > values[0] + 1000


def test_mlem_without_background_keeps_the_counts(scanned):
    scanner, data, _ = scanned
    scanner.background[...] = 0
    for image in islice(mlem(scanner, data), 5):
        assert scanner.expected(image).sum() == pytest.approx(data.sum(), rel=1e-4)


def test_one_subset_is_mlem(scanned):
    scanner, data, _ = scanned
    np.testing.assert_array_equal(nth(osem(scanner, data, 1), 3), nth(mlem(scanner, data), 3))


def test_subsets_are_faster(scanned):
    scanner, data, truth = scanned
    assert error(nth(osem(scanner, data, 6), 2), truth) < error(nth(mlem(scanner, data), 6), truth)


def test_the_activity_comes_out(scanned):
    scanner, data, truth = scanned
    em, filtered = nth(osem(scanner, data, 6), 6), fbp(scanner, data)
    assert error(em, truth) < 0.2 < error(filtered, truth) < 0.3
    assert (em >= 0).all()
    brain = truth == 1
    assert np.mean(em[brain]) == pytest.approx(1, abs=0.04)
    assert np.mean(filtered[brain]) == pytest.approx(1, abs=0.04)


def test_the_same_seed_is_the_same_scan():
    first, second, other = (scan(32, seed=seed) for seed in (3, 3, 4))
    np.testing.assert_array_equal(first.data, second.data)
    assert (first.data != other.data).any()
    assert first.data.sum() == pytest.approx(4e6, rel=0.01)


def test_rays_and_pixels_of_nothing(random):
    data, image = random(4), random(4)
    nothing = np.zeros_like(data)
    assert not em_ratio(data, nothing, data, nothing).any()
    em_update(image, data, nothing)
    assert not image.any()


def test_wrong_input(scanned):
    scanner, data, _ = scanned
    with pytest.raises(ValueError, match="60 angles"):
        osem(scanner, data, 61)
    with pytest.raises(ValueError, match="the shape"):
        mlem(scanner, data[:, :5])
