"""What arguments lend for a call is given back after it, whatever comes of the call."""

import array

import numpy as np
import pytest
from package import axpy, cuvec, dot, gemv

OTHERS = {
    "call": (np.zeros(3, "f4"), None),
    "refused where it is converted": ([0.0] * 3, TypeError),
    "refused by its shape": (np.zeros(4, "f4"), ValueError),
    "refused by its dtype": (np.zeros(3, "i4"), TypeError),
    "no array": ("no array", TypeError),
}


@pytest.mark.parametrize(("other", "error"), OTHERS.values(), ids=OTHERS)
@pytest.mark.parametrize("first", [False, True])
def test_what_was_lent_is_given_back(other, error, first):
    """A list of numbers in memory cannot grow while somebody looks at it."""
    lent = array.array("f", [1, 2, 3])
    try:
        axpy(2, *((lent, other) if first else (other, lent)))
    except (TypeError, ValueError) as caught:
        assert type(caught) is error  # noqa: PT017
    else:
        assert error is None
    lent.append(4)


def test_out_is_given_back():
    lent = array.array("f", [0] * 2)
    assert gemv(np.ones((2, 3), "f4"), np.ones(3, "f4"), out=lent) is lent
    with pytest.raises(ValueError, match="shape"):
        gemv(np.ones((3, 3), "f4"), np.ones(3, "f4"), out=lent)
    lent.append(4)
    assert lent.tolist() == [2.5, 2.5, 4]


class Lender:
    """An array that counts how often it is lent."""

    def __init__(self):
        self.array = cuvec.ones(3)
        self.lent = 0

    def __dlpack_device__(self):
        return self.array.__dlpack_device__()

    def __dlpack__(self, **options):
        self.lent += 1
        return self.array.__dlpack__(**options)


def test_an_argument_is_converted_once():
    x = Lender()
    assert dot(x, x) == 3
    assert x.lent == 2
