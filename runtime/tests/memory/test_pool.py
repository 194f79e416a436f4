"""The memory pool."""

import gc
import itertools
from pathlib import Path

import numpy as np
import pytest
from package import axpy, cuvec

HUGE_PAGES = Path("/sys/kernel/mm/transparent_hugepage")

pytestmark = pytest.mark.usefixtures("no_garbage")


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


@pytest.mark.parametrize("memory", ["managed", "pinned"])
def test_many_allocations_do_not_grow(memory):
    def allocate(times):
        for size in range(times):
            cuvec.empty(1 + size % 1000 * 10, memory=memory)

    allocate(1000)
    before = cuvec.memory_stats()
    allocate(10_000)
    assert cuvec.memory_stats() == before


def test_many_calls_do_not_grow():
    x, y = np.ones(1000, "f4"), cuvec.ones(1000)
    axpy(1, x, y)
    before = cuvec.memory_stats()
    for _ in range(1000):
        axpy(1, x, y)
        axpy(1, y, x)
    assert cuvec.memory_stats() == before


def test_freed_memory_is_used_again():
    x = cuvec.zeros(100_000)
    address = x.ptr
    del x
    assert cuvec.zeros(100_000).ptr == address


def test_arrays_do_not_share_memory_by_accident():
    arrays = [cuvec.full(size, size, "i4") for size in range(1, 300)]
    assert all((x == len(x)).all() for x in arrays)
    ranges = sorted((x.ptr, x.ptr + x.nbytes) for x in arrays)
    assert all(end <= start for (_, end), (start, _) in itertools.pairwise(ranges))


def test_failed_allocations_leak_nothing():
    before = cuvec.memory_stats().used
    for _ in range(100):
        with pytest.raises(MemoryError):
            cuvec.empty(1 << 50)
    assert cuvec.memory_stats().used == before


def has_huge_pages():
    """Return whether the system has huge pages and reports which memory is advised to use them."""
    return HUGE_PAGES.exists() and "VmFlags:" in Path("/proc/self/smaps").read_text()


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


def test_empty_cache_releases_free_memory():
    x = cuvec.full(100_000, 7)
    cuvec.zeros(1 << 20)
    before = cuvec.memory_stats()
    cuvec.empty_cache()
    after = cuvec.memory_stats()
    assert after.used == before.used
    assert after.held <= before.held - 4 * (1 << 20)
    assert (x == 7).all()


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


def test_arrays_in_cycles_are_freed():
    before = cuvec.memory_stats().used
    cycle = [cuvec.zeros(1000)]
    cycle.append(cycle)
    del cycle
    gc.collect()
    assert cuvec.memory_stats().used == before
