"""Launches of blocks that know more of each other than others do."""

import ctypes

import native
import package
import pytest
from package import cuvec

pytestmark = [pytest.mark.gpu, pytest.mark.function("exchange")]
RANKS = range(4)


def exchanged(how):
    y = cuvec.zeros(4, "i8")
    package.module.exchange(how, y)
    return y.tolist()


@pytest.fixture
def clusters():
    """Skip where the GPU has none."""
    major, attribute = ctypes.c_int(), 75
    native.driver("cuDeviceGetAttribute", ctypes.byref(major), attribute, cuvec.device().index)
    if major.value < 9:
        pytest.skip("needs compute capability 9.0")


def test_blocks_of_a_cooperative_launch_wait_for_each_other():
    assert exchanged(0) == [10 * ((rank + 1) % 4) + rank + 1 for rank in RANKS]


@pytest.mark.usefixtures("clusters")
def test_blocks_of_a_cluster_share_memory_and_a_dependent_launch_comes_after_them():
    assert exchanged(1) == [10 * ((rank + 1) % 4) + rank + 1 for rank in RANKS]
    assert exchanged(2) == [10 * (rank ^ 1) + rank + 1 for rank in RANKS]


def test_shared_memory_beyond_an_integer_is_refused():
    with pytest.raises(ValueError, match=f"a block needs {2**32 + 16} bytes of shared memory"):
        exchanged(4)


@pytest.mark.usefixtures("clusters")
def test_a_cluster_that_does_not_divide_the_blocks_is_an_error():
    with pytest.raises(RuntimeError, match=r"^exchange\(\): cudaError"):
        exchanged(3)
    assert exchanged(2)[0] == 11
