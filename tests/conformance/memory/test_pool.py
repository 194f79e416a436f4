"""The memory pool and its limits."""

import gc
import itertools
import sys
from pathlib import Path

import numpy as np
import pytest
from package import axpy, cuvec

MIB = 1 << 20
HUGE_PAGES = Path("/sys/kernel/mm/transparent_hugepage")


@pytest.mark.usefixtures("no_garbage")
@pytest.mark.parametrize("memory", ["managed", "pinned"])
def test_memory_in_use_is_counted(memory):
    before = cuvec.memory_stats()
    x = cuvec.zeros(100_000, memory=memory)
    during = cuvec.memory_stats()
    assert during.used >= before.used + x.nbytes
    assert during.held >= during.used
    view = x[::2]
    del x
    assert cuvec.memory_stats().used == during.used
    del view
    assert cuvec.memory_stats().used == before.used


@pytest.mark.usefixtures("no_garbage")
@pytest.mark.parametrize("memory", ["managed", "pinned"])
def test_many_allocations_do_not_grow(memory):
    def allocate(times):
        for size in range(times):
            cuvec.empty(1 + size % 1000 * 10, memory=memory)

    allocate(1000)
    before = cuvec.memory_stats()
    allocate(10_000)
    assert cuvec.memory_stats() == before


@pytest.mark.usefixtures("no_garbage")
def test_many_calls_do_not_grow():
    x, y = np.ones(1000, "f4"), cuvec.ones(1000)
    axpy(1, x, y)
    before = cuvec.memory_stats()
    for _ in range(1000):
        axpy(1, x, y)
        axpy(1, y, x)
    assert cuvec.memory_stats() == before


@pytest.mark.usefixtures("no_garbage")
def test_freed_memory_is_used_again():
    x = cuvec.zeros(100_000)
    address = x.ptr
    del x
    assert cuvec.zeros(100_000).ptr == address


@pytest.mark.usefixtures("no_garbage")
def test_arrays_do_not_share_memory_by_accident():
    arrays = [cuvec.full(size, size, "i4") for size in range(1, 300)]
    assert all((x == len(x)).all() for x in arrays)
    ranges = sorted((x.ptr, x.ptr + x.nbytes) for x in arrays)
    assert all(end <= start for (_, end), (start, _) in itertools.pairwise(ranges))


@pytest.mark.usefixtures("no_garbage")
def test_failed_allocations_leak_nothing():
    before = cuvec.memory_stats().used
    for _ in range(100):
        with pytest.raises(MemoryError):
            cuvec.empty(1 << 50)
    assert cuvec.memory_stats().used == before


def has_huge_pages():
    """Return whether the system has huge pages and reports which memory is advised to use them."""
    return HUGE_PAGES.exists() and "VmFlags:" in Path("/proc/self/smaps").read_text()


@pytest.mark.usefixtures("no_garbage")
@pytest.mark.skipif(
    not has_huge_pages(), reason="the system has no huge pages, or does not report them"
)
def test_large_arrays_are_advised_to_use_huge_pages(run_python):
    code = """
    from package import cuvec
    x = cuvec.empty(8 << 20, "u1")
    middle, inside = x.ptr + x.nbytes // 2, False
    for line in open("/proc/self/smaps"):
        head, *rest = line.split()
        if "-" in head:
            start, end = (int(part, 16) for part in head.split("-"))
            inside = start <= middle < end
        elif head == "VmFlags:" and inside:
            print("hg" in rest)
    """
    assert run_python(code, CUVEC_DEVICE="cpu") == "True"


@pytest.mark.usefixtures("no_garbage")
def test_empty_cache_releases_free_memory():
    x = cuvec.full(100_000, 7)
    cuvec.zeros(1 << 20)
    before = cuvec.memory_stats()
    cuvec.empty_cache()
    after = cuvec.memory_stats()
    assert after.used == before.used
    assert after.held <= before.held - 4 * (1 << 20)
    assert (x == 7).all()


@pytest.mark.usefixtures("no_garbage")
def test_empty_cache_without_arrays_releases_everything(run_python):
    code = """
    from package import cuvec
    for memory in ("managed", "pinned"):
        for size in (1, 1000, 100_000, 1 << 20):
            cuvec.zeros(size, memory=memory)
    print(cuvec.memory_stats().held > 0)
    cuvec.empty_cache()
    print(*cuvec.memory_stats())
    """
    assert run_python(code).split() == ["True", "0", "0"]


@pytest.mark.usefixtures("no_garbage")
def test_arrays_in_cycles_are_freed():
    before = cuvec.memory_stats().used
    cycle = [cuvec.zeros(1000)]
    cycle.append(cycle)
    del cycle
    gc.collect()
    assert cuvec.memory_stats().used == before


@pytest.mark.usefixtures("no_garbage")
@pytest.mark.parametrize("size", [32 * 1024 + 1, MIB + 1, 9 * MIB, 33 * MIB + 1, 65 * MIB])
def test_overhead_is_at_most_an_eighth(size):
    before = cuvec.memory_stats().used
    x = cuvec.empty(size, "u1")
    assert size <= cuvec.memory_stats().used - before <= size * 9 // 8
    del x


@pytest.mark.usefixtures("no_garbage")
def test_large_arrays_have_their_exact_size():
    before = cuvec.memory_stats().used
    x = cuvec.empty(66 * MIB + 1, "u1")
    assert cuvec.memory_stats().used - before == 66 * MIB + 4096
    del x
    cuvec.empty_cache()


@pytest.mark.usefixtures("no_garbage")
@pytest.mark.parametrize("size", [(1 << 50) + 1, (1 << 60) + 12345])
def test_errors_contain_the_number_of_bytes(size):
    with pytest.raises(MemoryError, match=f"cannot allocate {size} bytes"):
        cuvec.empty(size, "u1")
    with pytest.raises(MemoryError, match=f"cannot allocate {2 * size} bytes"):
        cuvec.empty(size, "f2")


@pytest.mark.usefixtures("no_garbage")
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


@pytest.mark.usefixtures("no_garbage")
def test_the_cache_of_dtypes_is_bounded():
    for number in range(2000):
        kind = type(f"Kind{number}", (), {"dtype": np.dtype("f4")})
        assert cuvec.empty(1, kind).dtype == np.float32
    assert len(cuvec.memory._seen) <= 1000
