"""Lines that kernels in Rust print, for debugging."""

import os

import numpy as np
import package
import pytest
from package import cuvec

pytestmark = pytest.mark.function("shown")


def lines(n):
    return [f"x[{i}] = {-i / 2:g}, below 0: true" for i in range(1, n)]


def test_lines_are_printed_when_the_call_is_waited_for(capfd):
    x = cuvec.asarray(-np.arange(100, dtype="f4") / 2)
    assert package.module.shown(x, 0)[0] == 99
    assert sorted(capfd.readouterr().out.splitlines()) == sorted(lines(100))


def test_nothing_is_printed_twice(capfd):
    x = cuvec.asarray(-np.arange(3, dtype="f4") / 2)
    for _ in range(2):
        package.module.shown(x, 0)
        assert sorted(capfd.readouterr().out.splitlines()) == lines(3)
    package.module.shown(x, -9)
    assert capfd.readouterr().out == ""


@pytest.mark.gpu
def test_of_too_many_lines_some_are_printed(capfd):
    x = cuvec.asarray(-np.arange(1000, dtype="f4") / 2)
    assert package.module.shown(x, 0)[0] == 999
    *printed, more = capfd.readouterr().out.splitlines()
    assert len(set(printed)) == 256
    assert set(printed) <= set(lines(1000))
    assert more == "and 743 lines more"
    package.module.shown(x[:2], 0)
    assert capfd.readouterr().out.splitlines() == lines(2)


def test_assertions_are_checked_in_builds_for_debugging():
    x = cuvec.asarray(np.float32([-200]))
    if os.environ.get("KERNELS_CHECKED"):  # as the package was built
        with pytest.raises(RuntimeError, match=r"shown\.rs:13: assertion failed|a kernel panicked"):
            package.module.shown(x, -300)
    else:
        assert package.module.shown(x, -300)[0] == 0
