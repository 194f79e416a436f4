"""Functions that write no array: what their bodies do, such as raising, is never skipped."""

import numpy as np
import pytest
from package import cuvec, require, require_size

MAKE = {"cuvec": cuvec.asarray, "numpy": np.asarray}


def test_a_function_without_arrays():
    assert require(True) is None
    with pytest.raises(ValueError, match=r"^require\(\): not ok$"):
        require(False)


@pytest.mark.gpu
def test_a_function_without_arrays_on_a_stream(stream):
    assert require(True, stream=stream) is None
    with pytest.raises(ValueError, match=r"^require\(\): not ok$"):
        require(False, stream=stream)


@pytest.mark.parametrize("make", MAKE.values(), ids=MAKE)
@pytest.mark.parametrize("n", [0, 5])
def test_a_function_that_only_reads(make, n):
    x = make(np.zeros(n, "u1"))
    assert require_size(x, n) is None
    with pytest.raises(ValueError, match=rf"^require_size\(\): {n} elements$"):
        require_size(x, n + 1)
