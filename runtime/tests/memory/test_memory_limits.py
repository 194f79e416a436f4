"""Limits of memory: overhead of allocations, errors, and freeing when no memory is left."""

import sys

import numpy as np
import pytest
from package import cuvec

dtypes = cuvec.dtypes

MIB = 1 << 20

pytestmark = pytest.mark.usefixtures("no_garbage")


@pytest.mark.parametrize("size", [32 * 1024 + 1, MIB + 1, 9 * MIB, 33 * MIB + 1, 65 * MIB])
def test_overhead_is_at_most_an_eighth(size):
    before = cuvec.memory_stats().used
    x = cuvec.empty(size, "u1")
    assert size <= cuvec.memory_stats().used - before <= size * 9 // 8
    del x


def test_large_arrays_have_their_exact_size():
    before = cuvec.memory_stats().used
    x = cuvec.empty(66 * MIB + 1, "u1")
    assert cuvec.memory_stats().used - before == 66 * MIB + 4096
    del x
    cuvec.empty_cache()


@pytest.mark.parametrize("size", [(1 << 50) + 1, (1 << 60) + 12345])
def test_errors_contain_the_number_of_bytes(size):
    with pytest.raises(MemoryError, match=f"cannot allocate {size} bytes"):
        cuvec.empty(size, "u1")
    with pytest.raises(MemoryError, match=f"cannot allocate {2 * size} bytes"):
        cuvec.empty(size, "f2")


@pytest.mark.skipif(sys.platform != "linux", reason="needs a limit of the address space")
def test_arrays_can_be_freed_when_no_memory_is_left(run_python):
    code = """
    import resource
    from package import cuvec

    arrays = [cuvec.empty(n % 50 * 1000) for n in range(30_000)]
    arrays += [cuvec.empty(3 << 20) for _ in range(10)]
    numbers = list(range(len(arrays)))
    hog, size = [], 1 << 20
    used = int(open("/proc/self/statm").read().split()[0]) * resource.getpagesize()
    resource.setrlimit(resource.RLIMIT_AS, (used, resource.RLIM_INFINITY))
    while size > 4096:
        try:
            hog = bytearray(size), hog
        except MemoryError:
            size //= 2
    for number in numbers:
        arrays[number] = None
    hog = None
    resource.setrlimit(resource.RLIMIT_AS, (resource.RLIM_INFINITY, resource.RLIM_INFINITY))
    cuvec.empty_cache()
    print(*cuvec.memory_stats())
    """
    assert run_python(code, CUVEC_DEVICE="cpu") == "0 0"


def test_the_cache_of_dtypes_is_bounded():
    for number in range(2000):
        kind = type(f"Kind{number}", (), {"dtype": np.dtype("f4")})
        assert cuvec.empty(1, kind).dtype == np.float32
    assert len(dtypes._seen) <= 1000
