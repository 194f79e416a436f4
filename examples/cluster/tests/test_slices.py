"""A slice is the same wherever it is done, and the head is round."""

import numpy as np
import pytest

from cluster import heights, one_image, one_scan


def test_the_head_is_round():
    middle, top = (np.count_nonzero(one_scan(z, 1, size=64).truth) for z in (0, 0.8))
    assert top == pytest.approx(middle * (1 - 0.8**2), rel=0.05)


def test_heights_match_the_whole_head():
    assert heights(3) == [-0.9, 0, 0.9]


def test_a_slice_is_the_same_again():
    first, again = (one_image(one_scan(0.3, 5, size=48), iterations=2, subsets=6) for _ in range(2))
    np.testing.assert_array_equal(first, again)
