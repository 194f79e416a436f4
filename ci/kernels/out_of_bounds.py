"""A kernel that asks for an element outside of an array raises, and writes nothing; threads that wait for the one that has ended go on.

out_of_bounds.py MODULE [checked]: a package to which gather.rs and gather_sum.rs were added, and whether its kernels were compiled with
KERNELS_CHECKED. `tests/conformance/calls/test_kernel_errors.py` has more of such errors, and what follows them.
"""

import sys
from importlib import import_module

import numpy as np

MODULE = sys.argv[1]
CHECKED = "checked" in sys.argv
cuvec, gather, gather_sum = (getattr(import_module(MODULE), name) for name in ("cuvec", "gather", "gather_sum"))


def message(work, *arguments):
    """The message of the error that `work` raises."""
    try:
        work(*arguments)
    except RuntimeError as error:
        return str(error)
    raise AssertionError("no error")


def one_wrong_index(make, n):
    x, y = make(np.arange(n, dtype="f4") + 0.5), make(np.ones(n, dtype="f4"))
    gather(x, y)
    assert (y == 0.5).all()
    y[:] = 3
    y[n // 2] = n + 8
    before = np.array(x)
    got = message(gather, x, y)
    assert got.startswith("kernels/gather.rs:6: "), got
    assert got.endswith(f"there is no element {n + 7} in an array of {n}"), got
    np.testing.assert_array_equal(x, before)
    if isinstance(y, cuvec.CuVec):
        assert y[n // 2] == n + 8, "written in spite of the error"


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


for n in (10, 100_000):
    for make in (cuvec.asarray, np.array):
        for check in (one_wrong_index, overflow, in_a_sum):
            check(make, n)

print(cuvec.device(), "ok")
