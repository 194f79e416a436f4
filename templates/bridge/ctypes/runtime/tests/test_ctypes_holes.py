"""Python code that is no ctypes cannot reach memory that is not an array's."""

import numpy as np
import pytest
from package import axpy, cuvec, dot


class Lying(np.ndarray):
    """An array whose own struct is one of an array that is gone."""

    @property
    def __array_struct__(self):
        return np.full(1000, 7.0).__array_struct__


def test_a_subclass_does_not_say_where_its_memory_is():
    x = np.ones(4).view(Lying)
    assert dot(x, np.ones(4)) == 4
    axpy(2, np.ones(4), x)
    np.testing.assert_array_equal(np.asarray(x), np.full(4, 3.0))


class Disguised:
    """No array of NumPy's, though it says so."""

    __class__ = np.ndarray


def test_a_class_that_is_claimed_is_not_believed():
    with pytest.raises(TypeError, match="x must be an array"):
        dot(Disguised(), np.ones(4))


def test_a_buffer_keeps_its_memory():
    block = cuvec.ones(4).cuvec
    with pytest.raises(AttributeError):
        block._buffer = 1
    with pytest.raises(AttributeError):
        del block._buffer
    assert not hasattr(block, "__del__")
    assert np.asarray(block).tolist() == [1] * 4


def test_a_buffer_becomes_no_other_object_and_none_becomes_a_buffer():
    class Other:
        __slots__ = ("_buffer",)

    block = cuvec.ones(4).cuvec
    with pytest.raises(TypeError):
        block.__class__ = Other
    with pytest.raises(TypeError):
        Other().__class__ = type(block)
