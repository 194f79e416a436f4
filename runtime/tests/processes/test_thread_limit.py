"""Calls when no more threads can be started."""

import sys

import pytest

if sys.platform != "linux":
    pytest.skip("the memory of a process is read from /proc", allow_module_level=True)


def test_large_calls_run_on_the_thread_of_the_caller(run_python):
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
