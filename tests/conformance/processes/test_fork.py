"""Processes that fork: the child works, whatever threads were doing, and says what it cannot do with a GPU."""

import multiprocessing

import pytest
from machine import needs_pools

pytestmark = pytest.mark.skipif(
    "fork" not in multiprocessing.get_all_start_methods(), reason="the system has no fork"
)

FORKS = """
import os, signal, sys, threading, time
from package import axpy, cuvec, dot

def child():
    x = cuvec.ones(1000)
    ok = dot(x, x) == 1000
    y = cuvec.ones(300_000)
    axpy(1, y, cuvec.zeros(300_000))
    ok = ok and dot(y, y) == 300_000
    cuvec.empty_cache()
    return 0 if ok else 1

def fork():
    pid = os.fork()
    if pid == 0:
        signal.alarm(30)  # kills it if it hangs
        os._exit(child())
    return pid

def work(step):
    while not stop.is_set():
        step()

stop = threading.Event()
"""


def run_forks(run_python, code):
    return run_python(FORKS + code, CUVEC_DEVICE="cpu", PYTHONWARNINGS="ignore::DeprecationWarning")


def test_children_of_a_busy_process_do_not_hang(run_python):
    code = """
x, y = cuvec.ones(300_000), cuvec.zeros(300_000)
steps = [
    lambda: [cuvec.zeros(100 + 997 * n) for n in range(30)],
    cuvec.empty_cache,
    lambda: axpy(1, x, y),
]
threads = [threading.Thread(target=work, args=(step,), daemon=True) for step in steps]
for thread in threads:
    thread.start()
bad = 0
for _ in range(100):
    children = [fork() for _ in range(3)]
    bad += sum(os.waitpid(pid, 0)[1] != 0 for pid in children)
stop.set()
for thread in threads:
    thread.join()
print(bad)
"""
    assert run_forks(run_python, code) == "0"


@needs_pools
def test_pools_of_a_busy_process_do_not_hang(run_python):
    code = """
import multiprocessing

def task(n):
    x = cuvec.ones(1000 + n)
    cuvec.empty_cache()
    return int(dot(x, x)) - n

x, y = cuvec.ones(300_000), cuvec.zeros(300_000)
steps = [lambda: [cuvec.zeros(100 + 997 * n) for n in range(30)], lambda: axpy(1, x, y)]
threads = [threading.Thread(target=work, args=(step,), daemon=True) for step in steps]
for thread in threads:
    thread.start()
found = set()
for _ in range(5):
    with multiprocessing.get_context("fork").Pool(8) as pool:
        found |= {*pool.map_async(task, range(64)).get(60)}
stop.set()
for thread in threads:
    thread.join()
print(found)
"""
    assert run_forks(run_python, code) == "{1000}"


def test_children_of_a_process_during_its_first_call_do_not_hang(run_python):
    code = """
bad = 0
for _ in range(40):
    if os.fork() == 0:  # a process without any call so far
        signal.alarm(30)
        x = threading.Barrier(4)
        def first():
            x.wait()
            cuvec.zeros(300_000)
            cuvec.device()
            dot(cuvec.ones(300_000), cuvec.ones(300_000))
        threads = [threading.Thread(target=first) for _ in range(3)]
        for thread in threads:
            thread.start()
        x.wait()
        children = [fork() for _ in range(3)]
        failed = [pid for pid in children if os.waitpid(pid, 0)[1] != 0]
        for thread in threads:
            thread.join()
        os._exit(len(failed))
    bad += os.wait()[1] != 0
print(bad)
"""
    assert run_forks(run_python, code) == "0"


@pytest.mark.gpu
def test_children_drop_arrays_that_the_gpu_addresses(run_python):
    code = (
        FORKS
        + """
arrays = [cuvec.zeros(100) for _ in range(10)]
allocate = lambda: cuvec.zeros(100)
threads = [threading.Thread(target=work, args=(allocate,), daemon=True) for _ in range(3)]
for thread in threads:
    thread.start()
bad = 0
for _ in range(200):
    pid = os.fork()
    if pid == 0:
        signal.alarm(30)  # kills it if it hangs
        arrays.clear()
        os._exit(0)
    bad += os.waitpid(pid, 0)[1] != 0
stop.set()
for thread in threads:
    thread.join()
print(bad)
"""
    )
    assert run_python(code, PYTHONWARNINGS="ignore::DeprecationWarning") == "0"


def test_a_forked_process_works_without_a_gpu(run_python):
    code = """
    import os
    from package import axpy, cuvec, dot
    x = cuvec.ones(1 << 20)
    assert dot(x, x) == 1 << 20
    child = os.fork()
    y = cuvec.ones(1 << 20)
    axpy(2, x, y)
    assert dot(x, y) == 3 << 20
    if child:
        assert os.waitpid(child, 0)[1] == 0
        print("done")
    """
    environment = {"CUVEC_DEVICE": "cpu", "PYTHONWARNINGS": "ignore::DeprecationWarning"}
    assert run_python(code, **environment) == "done"


@pytest.mark.gpu
def test_a_process_forked_after_using_the_gpu_gets_an_error_with_a_hint(run_python):
    code = """
    import os
    from package import axpy, cuvec
    x, y = cuvec.ones(3), cuvec.ones(3)
    axpy(2, x, y)
    child = os.fork()
    if child:
        assert os.waitpid(child, 0)[1] == 0
        axpy(2, x, y)
        print(y[0])
    else:
        try:
            cuvec.ones(3)
        except RuntimeError as error:
            os._exit(0 if "spawn" in str(error) else 1)
        os._exit(2)
    """
    assert run_python(code, PYTHONWARNINGS="ignore::DeprecationWarning") == "5.0"


def test_a_child_has_the_objects_of_its_parent(run_python):
    """On the CPU it may use them, but for one that a thread was using; nothing hangs, and nothing ends twice."""
    code = """
import gc
import numpy as np
from package import module

quiet, busy = (module.Filter(np.ones(1, "f4"), 4) for _ in range(2))
quiet.add(np.ones(4, "f4"))
thread = threading.Thread(target=busy.sleep, args=(1.0,))
thread.start()
time.sleep(0.2)
pid = os.fork()
if pid == 0:
    signal.alarm(30)
    quiet.add(np.ones(4, "f4"))
    try:
        busy.total()
    except RuntimeError as error:
        text = str(error)
    assert text == (
        "Filter.total(): the object is in the middle of a call when this process was forked; use another one"
    ), text
    assert quiet.total().tolist() == [2] * 4
    used = cuvec.memory_stats().used
    quiet.close()
    assert cuvec.memory_stats().used < used
    del busy, thread
    os._exit(0)
status = os.waitpid(pid, 0)[1]
thread.join()
print(status, quiet.total().tolist(), busy.calls_of_add())
"""
    assert run_forks(run_python, code) == "0 [1.0, 1.0, 1.0, 1.0] 1"


@pytest.mark.gpu
def test_a_child_refuses_objects_on_a_gpu(run_python):
    code = """
import os, signal
import numpy as np
from package import module
made = module.Filter(np.ones(1, "f4"), 4)
pid = os.fork()
if pid == 0:
    signal.alarm(30)
    for use in (made.total, made.close):
        try:
            use()
        except RuntimeError as error:
            assert "forked" in str(error), error
        else:
            os._exit(1)
    del made, use
    os._exit(0)
status = os.waitpid(pid, 0)[1]
print(status, made.total().tolist())
"""
    assert run_python(code, PYTHONWARNINGS="ignore::DeprecationWarning") == "0 [0.0, 0.0, 0.0, 0.0]"
