"""Gradients are summed to the shapes of arguments, whatever was repeated."""

import importlib

import numpy as np
import pytest
from package import NAME

sum_to = importlib.import_module(f"{NAME}.cuvec.derivative").sum_to


@pytest.mark.parametrize("shape", [(2, 3, 4), (3, 4), (1, 4), (2, 1, 1), (4,), (1,), (), (2, 3, 1)])
def test_a_sum_undoes_a_broadcast(shape):
    gradient = np.arange(24.0).reshape(2, 3, 4)
    found = sum_to(gradient, shape)
    expected = np.zeros(shape)
    assert found.shape == shape
    for index in np.ndindex(gradient.shape):
        own = index[3 - len(shape) :]
        expected[tuple(at % size for at, size in zip(own, shape, strict=True))] += gradient[index]
    np.testing.assert_array_equal(found, expected)
