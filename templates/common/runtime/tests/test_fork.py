"""Processes forked while other threads are in the middle of a call."""

import os

import pytest

if not hasattr(os, "fork"):
    pytest.skip("this system cannot fork", allow_module_level=True)

COMMON = """
import os, signal, sys, threading, time
from package import axpy, cuvec, dot

sys.setswitchinterval(1e-4)

def work(n):
    x, y = cuvec.ones(n), cuvec.ones(n)
    axpy(2, x, y)
    assert dot(x, y) == 3 * n

def forked(function):
    child = os.fork()
    if child == 0:
        status = 1
        try:
            function()
            status = 0
        finally:
            os._exit(status)
    return child

def ending(child, seconds=30):
    end = time.monotonic() + seconds
    while time.monotonic() < end:
        if (ended := os.waitpid(child, os.WNOHANG)) != (0, 0):
            return "failed" if ended[1] else "good"
        time.sleep(0.001)
    os.kill(child, signal.SIGKILL)
    os.waitpid(child, 0)
    return "hanging"

def forever(function):
    def run():
        while True:
            function()
    threading.Thread(target=run, daemon=True).start()
"""

BUSY = """
work(1 << 18)
for n in (1000, 1 << 18):
    forever(lambda: work(n))
forever(lambda: [cuvec.zeros(n) for n in range(1, 3000, 7)])
forever(cuvec.empty_cache)

def child():
    work(1000)
    work(1 << 18)
    cuvec.empty_cache()
"""

# In a process of its own, which is made by a fork as well because that takes no time.
FIRST_CALLS = """
def child():
    for n in (1 << 18, 1000, 1 << 18):
        threading.Thread(target=work, args=(n,), daemon=True).start()
    children = [forked(lambda: work(1 << 18)) for _ in range(3)]
    assert [ending(child) for child in children] == ["good"] * 3
"""

FORK = """
endings = []
while len(endings) < forks and set(endings) <= {"good"}:
    endings.append(ending(forked(child)))
print(len(endings), *set(endings))
"""


@pytest.mark.parametrize(("code", "forks"), [(BUSY, 200), (FIRST_CALLS, 50)], ids=["busy", "first"])
def test_children_of_busy_processes_work(run_python, code, forks):
    """Python itself warns of forks beside threads, since not all libraries bear them."""
    environment = {"CUVEC_DEVICE": "cpu", "PYTHONWARNINGS": "ignore::DeprecationWarning"}
    printed = run_python(f"forks = {forks}" + COMMON + code + FORK, **environment)
    assert printed == f"{forks} good"
