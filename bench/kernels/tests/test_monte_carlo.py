import numpy as np
import pytest
from mypkg import monte_carlo


def uniform(counter):
    bits = counter + np.uint64(0x9E3779B97F4A7C15)
    bits = (bits ^ (bits >> np.uint64(30))) * np.uint64(0xBF58476D1CE4E5B9)
    bits = (bits ^ (bits >> np.uint64(27))) * np.uint64(0x94D049BB133111EB)
    return ((bits ^ (bits >> np.uint64(31))) >> np.uint64(11)) * 2.0**-53


@pytest.mark.parametrize("samples", [0, 1, 100_003])
def test_monte_carlo(samples):
    counter = np.full(1, 7, "uint64") * np.uint64(0x632BE59BD9B4E019) + 2 * np.arange(samples, dtype="uint64")
    inside = uniform(counter) ** 2 + uniform(counter + np.uint64(1)) ** 2 < 1
    assert monte_carlo(samples, seed=7) == inside.sum()


def test_it_is_pi():
    assert abs(4 * monte_carlo(1_000_000) / 1_000_000 - np.pi) < 0.01
