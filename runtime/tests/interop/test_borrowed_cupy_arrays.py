"""CuPy's arrays are borrowed in calls on its current stream, described by their fields."""

import pytest

pytestmark = pytest.mark.gpu

CUPY = """
import sys
import types

import native
from gates import closed_gate
from package import axpy, cuvec


class Data:
    __slots__ = "device_id", "ptr"

    def __init__(self, array):
        self.ptr, self.device_id = array.ptr, cuvec.device().index


class ndarray:
    __slots__ = "_c_contiguous", "array", "data", "dtype", "exports", "shape"

    def __init__(self, array):
        self.array, self.exports = array, 0
        self.data, self.dtype, self.shape = Data(array), array.dtype, array.shape
        self._c_contiguous = array.flags.c_contiguous

    def __dlpack__(self, stream, max_version):
        self.exports += 1
        return self.array.__dlpack__(max_version=max_version)


cupy = types.ModuleType("cupy")
cupy.ndarray = ndarray
cupy.cuda = types.SimpleNamespace(get_current_stream=lambda: types.SimpleNamespace(ptr=0))
sys.modules["cupy"] = cupy
x, y = ndarray(cuvec.ones(3)), ndarray(cuvec.ones(3))
"""


@pytest.fixture
def run(run_python):
    """Run code in a process whose first CuPy arrays are `x` and `y`."""

    def run(code):
        assert run_python(CUPY + code.replace("\n    ", "\n")) == ""

    return run


def test_a_call_on_the_stream_of_the_arrays_borrows_them(run):
    run("""
    for turn, stream in enumerate((0, 1)):
        axpy(2, x, y, stream=stream)
        assert x.exports == y.exports == 0
        cuvec.dev_sync()
        assert y.array.tolist() == 3 * [3 + 2 * turn]
    """)


def test_a_synchronous_call_owns_them(run):
    run("""
    axpy(2, x, y)
    assert x.exports == y.exports == 1
    assert y.array.tolist() == [3, 3, 3]
    """)


def test_a_call_on_another_stream_owns_them_until_it_is_done(run):
    run("""
    with native.new_stream(0) as stream:
        axpy(0, x, y, stream=stream)
        cuvec.dev_sync()
        x.exports = y.exports = 0
        with closed_gate(stream):
            axpy(2, x, y, stream=stream)
            assert x.exports == y.exports == 1
        cuvec.dev_sync()
        assert y.array.tolist() == [3, 3, 3]
    """)


def test_borrowed_arrays_are_checked_like_others(run):
    run("""
    for wrong, field in (("contiguous", ("_c_contiguous", False)), ("shape", ("shape", (2,)))):
        before = getattr(x, field[0])
        setattr(x, *field)
        try:
            axpy(2, x, y, stream=0)
        except ValueError as error:
            assert wrong in str(error), error
        else:
            raise AssertionError(wrong)
        setattr(x, field[0], before)
    """)
