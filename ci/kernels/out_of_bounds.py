"""A kernel that asks for an element outside of an array raises, writes nothing, and does no harm to what follows.

out_of_bounds.py MODULE [checked]: a package to which gather.rs and gather_sum.rs were added, and whether its kernels were compiled with
KERNELS_CHECKED.
"""

import sys
from importlib import import_module

import numpy as np

MODULE = sys.argv[1]
CHECKED = "checked" in sys.argv
NAMES = ("cuvec", "axpy", "dot", "gather", "gather_sum")
cuvec, axpy, dot, gather, gather_sum = (getattr(import_module(MODULE), name) for name in NAMES)


def message(work, *arguments, **options):
    """The message of the error that `work` raises."""
    try:
        work(*arguments, **options)
    except RuntimeError as error:
        return str(error)
    raise AssertionError("no error")


def usable(make, n):
    """The calls after an error work, and report nothing old."""
    total = cuvec.zeros(n)
    axpy(1, cuvec.ones(n), total)
    assert dot(total, total) == n
    x, y = make(np.arange(n, dtype="f4") + 0.5), make(np.ones(n, dtype="f4"))
    gather(x, y)
    assert (y == 0.5).all()


def one_wrong_index(make, n):
    x = make(np.arange(n, dtype="f4") + 0.5)
    y = make(np.arange(n, dtype="f4")[::-1] + 1)
    gather(x, y)
    np.testing.assert_array_equal(y, x[::-1])

    y[:] = 3
    y[n // 2] = n + 8
    before = np.array(x)
    got = message(gather, x, y)
    assert got.startswith("kernels/gather.rs:6: "), got
    assert got.endswith(f"there is no element {n + 7} in an array of {n}"), got
    np.testing.assert_array_equal(x, before)
    if isinstance(y, cuvec.CuVec):
        assert y[n // 2] == n + 8, "written in spite of the error"


def every_index_wrong(make, n):
    """Many threads go wrong: one of them is heard."""
    x, y = make(np.zeros(n, dtype="f4")), make(np.full(n, 1e9, dtype="f4"))
    assert "kernels/gather.rs" in message(gather, x, y)


def overflow(make, n):
    """0 - 1 wraps around to an index that is not there; a checked build notices earlier."""
    x, y = make(np.zeros(n, dtype="f4")), make(np.zeros(n, dtype="f4"))
    got = message(gather, x, y)
    expected = f"there is no element {2**32 - 1} in an array of {n}"
    if CHECKED:
        on_gpu = cuvec.device().kind == "cuda"
        expected = "a kernel panicked" if on_gpu else "attempt to subtract with overflow"
    assert expected in got, got


def in_a_sum(make, n):
    """One thread has ended, a warp, a block: those that wait for them go on."""
    x, right = make(np.ones(n, dtype="f4")), np.arange(n, dtype="u4")
    for count in (1, 4 * 32, 4 * 256, n):
        wrong = right.copy()
        wrong[n // 3 : n // 3 + count] = n
        assert f"there is no element {n} in an array of {n}" in message(gather_sum, x, make(wrong))
        assert gather_sum(x, make(right)) == n


def asynchronous(n):
    """The error comes from the next call that waits."""
    x, y = cuvec.zeros(n), cuvec.full(n, 1e9)
    if cuvec.device().kind == "cuda":
        gather(x, y, stream=1)  # the default stream
        assert "there is no element" in message(cuvec.dev_sync)


for n in (10, 100_000):
    for make in (cuvec.asarray, np.array):
        for check in (one_wrong_index, every_index_wrong, overflow, in_a_sum):
            check(make, n)
            usable(make, n)
    asynchronous(n)
    usable(cuvec.asarray, n)

print(cuvec.device(), "ok")
