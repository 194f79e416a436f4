"""Sizes of results are computed before the call: rounded down, and refused if they are impossible."""

import numpy as np
import pytest
from errors import exactly
from package import cuvec, module

pytestmark = pytest.mark.function("sizes")
sizes = getattr(module, "sizes", None)  # quotient: (n-7)/m+8, product: n*m
LARGEST = 2**63 - 1


def y():
    return cuvec.full(3, 77, "i1")


@pytest.mark.parametrize(
    ("n", "m", "size"),
    [(7, 2, 8), (8, 2, 8), (9, 2, 9), (6, 2, 7), (5, 2, 7), (4, 2, 6), (0, 2, 4), (0, 100, 7)],
)
def test_quotients_are_rounded_down(n, m, size):
    x = y()
    quotient, product = sizes(n, m, x)
    assert (quotient.shape, product.shape) == ((size,), (n * m,))
    np.testing.assert_array_equal(x, [1, 1, 1])


@pytest.mark.parametrize(("n", "m", "size"), [(4, 2, 6), (0, 100, 7)])
def test_out_has_the_size_that_is_rounded_down(n, m, size):
    product = cuvec.zeros(n * m, "i1")
    out = cuvec.ones(size, "i1"), product
    assert sizes(n, m, y(), out=out)[0] is out[0]
    for other in (size - 1, size + 1):
        message = f"out[0] has shape ({other},), but must have ((n-7)/m+8,) = ({size},)"
        with pytest.raises(ValueError, match=exactly(message)):
            sizes(n, m, y(), out=(cuvec.ones(other, "i1"), product))


IMPOSSIBLE = {
    "divided by zero": (7, 0, "the size (n-7)/m+8 of quotient divides by zero"),
    "zero divided by zero": (0, 0, "the size (n-7)/m+8 of quotient divides by zero"),
    "a sum overflows": (LARGEST, 1, "the size (n-7)/m+8 of quotient is too large"),
    "a product overflows": (2**62, 2, "the size n*m of product is too large"),
    "a product is 2**64": (2**62, 4, "the size n*m of product is too large"),
    "a product wraps to a small size": (2**62 + 1, 4, "the size n*m of product is too large"),
}


@pytest.mark.parametrize("given", [False, True], ids=["new results", "out"])
@pytest.mark.parametrize("case", IMPOSSIBLE)
def test_impossible_sizes_are_refused_before_the_call(case, given):
    n, m, message = IMPOSSIBLE[case]
    x, used = y(), cuvec.memory_stats().used
    out = (cuvec.zeros(4, "i1"), cuvec.zeros(4, "i1")) if given else None
    match = r"^(the size|out\[0\] has shape) " if given else exactly(message)
    with pytest.raises(ValueError, match=match):
        sizes(n, m, x, out=out)
    assert (x == 77).all()
    del out
    assert cuvec.memory_stats().used == used


def test_negative_sizes_are_refused_before_the_call():
    x = y()
    with pytest.raises(ValueError, match=exactly("m is a size and cannot be -1")):
        sizes(7, -1, x)
    assert (x == 77).all()


@pytest.mark.parametrize("n", [LARGEST - 8, 2**48])
def test_results_that_do_not_fit_into_memory_are_refused_before_the_call(n):
    x, used = y(), cuvec.memory_stats().used
    with pytest.raises(MemoryError):
        sizes(n, 1, x)
    assert (x == 77).all()
    assert cuvec.memory_stats().used == used
