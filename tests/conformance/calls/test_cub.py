"""Algorithms of CUB, by `call.cub`, and of Thrust, on the stream and with scratch memory of the call."""

import graphs
import numpy as np
import package
import pytest
from package import cuvec


@pytest.mark.function("prefix_sums")
@pytest.mark.parametrize("n", [1, 33, 100_000])
def test_sums(n):
    x = np.random.default_rng(n).integers(-99, 99, n)
    np.testing.assert_array_equal(package.module.prefix_sums(cuvec.asarray(x)), np.cumsum(x))


@pytest.mark.function("argsort")
@pytest.mark.parametrize("n", [1, 33, 100_000])
def test_sorting_with_thrust(n):
    x = np.random.default_rng(n).integers(-99, 99, n, "i4")
    order = package.module.argsort(cuvec.asarray(x))
    np.testing.assert_array_equal(order, np.argsort(x, kind="stable"))
    np.testing.assert_array_equal(x, np.random.default_rng(n).integers(-99, 99, n, "i4"))


@pytest.mark.gpu
@pytest.mark.function("argsort")
def test_a_graph_captures_what_thrust_does(stream):
    """Which allocates and synchronizes nothing."""
    x, order = cuvec.zeros(5000, "i4"), cuvec.zeros(5000, "i8")
    package.module.argsort(x, out=order, stream=stream)  # loads the code
    cuvec.dev_sync()
    with graphs.captured(
        stream, lambda: package.module.argsort(x, out=order, stream=stream)
    ) as replay:
        x[...] = np.arange(5000)[::-1]
        replay()
        cuvec.dev_sync()
    assert order.tolist() == list(range(5000))[::-1]
