"""Calls from several threads, and the GIL."""

import concurrent.futures
import os
import sys
import threading
import time

import numpy as np
import pytest
from package import axpy, cuvec, dot, module, pieces, smooth

THREADS = 4


def in_threads(function):
    """Run a function in four threads that start together; return the results."""
    barrier = threading.Barrier(THREADS)

    def run(number):
        barrier.wait()
        return function(number)

    with concurrent.futures.ThreadPoolExecutor(THREADS) as pool:
        return list(pool.map(run, range(THREADS)))


@pytest.mark.parametrize("size", [1000, 100_003])
@pytest.mark.parametrize("convert", [cuvec.asarray, np.array], ids=["cuvec", "numpy"])
def test_threads_with_arrays_of_their_own(convert, size):
    def work(number):
        x = convert(np.full(size, number + 1.0))
        y = convert(np.zeros(size))
        for _ in range(50):
            axpy(1, x, y)
        return y[0], y[-1], dot(x, y)

    for number, result in enumerate(in_threads(work)):
        expected = 50 * (number + 1)
        assert result == (expected, expected, size * expected * (number + 1))


def test_threads_with_scratch_memory_and_new_arrays():
    def work(number):
        x = cuvec.full(10_007, number)
        return all((smooth(x) == number).all() for _ in range(50))

    assert in_threads(work) == [True] * THREADS


def test_threads_with_several_results():
    def work(number):
        x = cuvec.full(1000 + number, number, "i4")
        for _ in range(50):
            less, more, half, size = pieces(x)
            assert (less == 0).all()
            assert (more[:size] == number).all()
            assert (half.shape, size) == (((1000 + number) // 2,), 1000 + number)

    in_threads(work)


def test_threads_that_read_one_array():
    x = cuvec.asarray(np.arange(1000.0))
    expected = dot(x, x)
    assert in_threads(lambda _: {dot(x, x) for _ in range(100)}) == [{expected}] * THREADS


def test_threads_that_write_parts_of_one_array():
    x, y = cuvec.ones(4 * 1003), cuvec.zeros(4 * 1003)

    def work(number):
        part = slice(number * 1003, (number + 1) * 1003)
        for _ in range(50):
            axpy(number + 1, x[part], y[part])

    in_threads(work)
    np.testing.assert_array_equal(y, np.repeat([50, 100, 150, 200], 1003))


@pytest.mark.usefixtures("no_garbage")
def test_threads_that_allocate_and_free():
    def work(number):
        for size in range(1, 500):
            x = cuvec.full(size * 17, number, "i4")
            assert (x == number).all()
        return cuvec.zeros(1000, "i4").any()

    before = cuvec.memory_stats().used
    assert in_threads(work) == [False] * THREADS
    assert cuvec.memory_stats().used == before


@pytest.mark.usefixtures("no_garbage")
def test_arrays_may_be_freed_by_another_thread():
    before = cuvec.memory_stats().used
    arrays = [cuvec.ones(1000) for _ in range(100)]
    thread = threading.Thread(target=arrays.clear)
    thread.start()
    thread.join()
    assert cuvec.memory_stats().used == before


def test_each_thread_gets_the_errors_of_its_own_calls():
    def work(number):
        for _ in range(50):
            if number % 2:
                with pytest.raises(ValueError, match="shape"):
                    dot(cuvec.ones(3), cuvec.ones(4))
            else:
                assert dot(cuvec.ones(3), cuvec.ones(3)) == 3

    in_threads(work)


@pytest.fixture
def no_switching():
    """Let a thread run until it releases the GIL by itself."""
    interval = sys.getswitchinterval()
    sys.setswitchinterval(10_000)
    yield
    sys.setswitchinterval(interval)


CALLS = {
    "axpy": lambda x, y: axpy(0.0, x, y),
    "dot": dot,
    "axpy of plain arrays": lambda x, y: axpy(0.0, np.asarray(x), np.array(y)),
}


@pytest.mark.usefixtures("no_switching")
@pytest.mark.parametrize("call", CALLS.values(), ids=CALLS)
def test_other_threads_run_during_a_call(call):
    x, y = cuvec.ones(1 << 20), cuvec.ones(1 << 20)
    ticks, done = [], threading.Event()

    def tick():
        while not done.is_set():
            ticks.append(1)
            time.sleep(0)  # releases the GIL

    thread = threading.Thread(target=tick)
    thread.start()
    try:
        before = len(ticks)
        calls = 0
        while len(ticks) == before and calls < 2000:
            call(x, y)
            calls += 1
        assert len(ticks) > before
    finally:
        done.set()
        thread.join()


@pytest.mark.skipif(sys.platform != "linux", reason="the memory of a process is read from /proc")
def test_large_calls_run_on_the_callers_thread_where_no_other_can_be_started(run_python):
    code = """
    import os, resource
    from package import axpy, cuvec, dot

    x, y = cuvec.ones(1 << 20), cuvec.ones(1 << 20)
    with open("/proc/self/statm") as file:
        used = int(file.read().split()[0]) * os.sysconf("SC_PAGESIZE")
    more = 1 << 20  # less than the stack of a thread
    resource.setrlimit(resource.RLIMIT_AS, (used + more, used + more))
    axpy(2, x, y)
    print(dot(x, y) == 3 << 20)
    """
    assert run_python(code, CUVEC_DEVICE="cpu") == "True"


@pytest.mark.skipif(
    sys.platform != "linux" or len(os.sched_getaffinity(0)) < 2,
    reason="needs several processors, and the threads of a process in /proc",
)
def test_c_sets_the_number_of_threads(run_python):
    code = """
    import ctypes, os, capsules
    from package import axpy, core, cuvec

    class Api(ctypes.Structure):
        _fields_ = [("version", ctypes.c_int32), ("size", ctypes.c_int32), ("others", ctypes.c_void_p * 9),
                    ("set_threads", ctypes.CFUNCTYPE(ctypes.c_int32, ctypes.c_int32))]

    set_threads = Api.from_address(capsules.pointer(core._api, b"cuvec.api")).set_threads
    x, y = cuvec.ones(1 << 20), cuvec.ones(1 << 20)
    started = lambda: axpy(2, x, y) or len(os.listdir("/proc/self/task"))
    print(set_threads(1), started() == 1, set_threads(0), started() > 1)
    set_threads(1)
    print(set_threads(7), set_threads(-1), set_threads(3))
    """
    # Dask leaves OMP_NUM_THREADS=1 to whoever has had a cluster.
    environment = {"CUVEC_DEVICE": "cpu", "OPENBLAS_NUM_THREADS": "1", "OMP_NUM_THREADS": "2"}
    assert run_python(code, **environment).splitlines() == ["0 True 1 True", "1 7 0"]


def test_methods_of_one_object_take_turns():
    made = module.Filter(np.ones(1, "f4"), 4)

    def work(number):
        for _ in range(10):
            made.sleep(0.001)
            made.add(np.full(4, number, "f4"))

    in_threads(work)
    assert made.calls_of_add() == 2 * 10 * THREADS
    assert made.total().tolist() == [10 * sum(range(THREADS))] * 4


def test_close_waits_for_a_call_in_another_thread():
    made = module.Filter(np.ones(1, "f4"), 4)
    started, used = threading.Event(), cuvec.memory_stats().used

    def work():
        started.set()
        made.sleep(0.5)

    with concurrent.futures.ThreadPoolExecutor(1) as pool:
        call = pool.submit(work)
        started.wait()
        time.sleep(0.1)
        start = time.monotonic()
        made.close()
        waited = time.monotonic() - start
        call.result()
    assert waited > 0.1
    assert cuvec.memory_stats().used < used
    with pytest.raises(ValueError, match="the Filter is closed"):
        made.total()
