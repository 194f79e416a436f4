"""NumPy arrays keep their memory while a call uses it."""

import threading

import numpy as np
import pytest
from package import axpy

SIZE = 1 << 22


class Exporter:
    """An array that calls something when it is asked for."""

    def __init__(self, array, call):
        self.array, self.call = array, call

    def __dlpack__(self, **arguments):
        self.call()
        return self.array.__dlpack__(**arguments)

    def __dlpack_device__(self):
        return (1, 0)


def shrink(x):
    owner = x if x.base is None else x.base
    owner.resize(0, refcheck=False)


@pytest.mark.parametrize("part", [slice(None), slice(16, None)], ids=["array", "view"])
def test_an_exporter_does_not_make_another_argument_smaller(part):
    x = np.ones(SIZE)[part]
    y = np.ones(x.size)
    with pytest.raises(ValueError, match="cannot resize"):
        axpy(1, x, Exporter(y, lambda: shrink(x)))
    axpy(1, x, y)
    assert (y == 2).all()


def test_another_thread_does_not_make_an_argument_smaller():
    """It tries to during calls; it may come too late for some of them."""
    outcomes = []
    while "refused" not in outcomes and len(outcomes) < 100:
        x, y = np.ones(SIZE), np.ones(SIZE)
        converted = threading.Event()
        thread = threading.Thread(target=axpy, args=(1, x, Exporter(y, converted.set)))
        thread.start()
        converted.wait()
        try:
            shrink(x)
            outcomes.append("too late")
        except ValueError:
            outcomes.append("refused")
        thread.join()
    assert outcomes[-1] == "refused"
    assert (y == 2).all()
