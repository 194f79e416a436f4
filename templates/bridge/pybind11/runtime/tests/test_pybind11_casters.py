"""How arguments become those of C++ functions: `src/module/type_casters.hpp`."""

import array
import fractions

import numpy as np
import pytest
from package import axpy, core, cuvec, dot


@pytest.fixture
def x():
    return np.ones(3, "float32")


@pytest.fixture
def y():
    return np.ones(3, "float32")


def test_arguments_have_names(x, y):
    axpy(y=y, x=x, a=2)
    np.testing.assert_array_equal(y, 3)
    with pytest.raises(TypeError, match=r"axpy\(\): incompatible function arguments"):
        axpy(2, x, z=y)


def test_a_stream_is_passed_by_its_name_only(x, y):
    axpy(2, x, y, stream=None)
    with pytest.raises(TypeError, match=r"axpy\(\): incompatible function arguments"):
        axpy(2, x, y, None)
    np.testing.assert_array_equal(y, 3)


FACTORS = [2, True, np.float32(2), np.int8(2), np.array(2.0), fractions.Fraction(1, 2)]


@pytest.mark.parametrize("a", FACTORS, ids=lambda a: type(a).__name__)
def test_a_double_is_what_python_makes_a_float_of(a, x, y):
    axpy(a, x, y)
    np.testing.assert_array_equal(y, 1 + float(a))


@pytest.mark.parametrize("a", ["2", None, 2j, [2], 10**400])
def test_a_double_is_nothing_else(a, x, y):
    with pytest.raises(TypeError, match="incompatible function arguments"):
        axpy(a, x, y)
    np.testing.assert_array_equal(y, 1)


@pytest.mark.parametrize("index", [1.0, "0", None, 1 << 64])
def test_an_index_is_an_integer_of_its_size(index):
    with pytest.raises(TypeError, match="incompatible function arguments"):
        core.dev_set(index)


@pytest.mark.parametrize("position", [0, 1])
@pytest.mark.parametrize(
    ("argument", "error", "message"),
    [
        ([1.0] * 3, TypeError, r"^expected an array, not list; "),
        (None, TypeError, r"^expected an array, not NoneType; "),
        (np.ones(3, "complex64"), TypeError, r"^arrays of dtype complex64 are not supported$"),
        (memoryview(b"abc").cast("c"), TypeError, r'^arrays of format "c" are not supported$'),
    ],
    ids=["list", "None", "complex", "chars"],
)
def test_the_error_is_that_of_the_conversion(argument, error, message, position, x):
    arguments = [x, x]
    arguments[position] = argument
    with pytest.raises(error, match=message) as caught:
        dot(*arguments)
    assert caught.type is error


@pytest.mark.parametrize("stream", ["1", 1.5, []])
def test_the_error_is_that_of_the_stream(stream, x):
    with pytest.raises(TypeError, match=r"^stream must be a CUDA stream's handle"):
        dot(x, x, stream=stream)


@pytest.mark.parametrize(
    ("y", "error"),
    [(np.zeros(3, "float32"), None), ([0.0] * 3, TypeError), (np.zeros(4, "float32"), ValueError)],
    ids=["call", "refused by a caster", "refused by the function"],
)
def test_what_was_lent_is_given_back(y, error):
    """A list of numbers in memory cannot grow while somebody looks at it."""
    x = array.array("f", [1, 2, 3])
    try:
        axpy(2, x, y)
    except (TypeError, ValueError) as caught:
        assert type(caught) is error  # noqa: PT017
    else:
        assert error is None
    x.append(4)


class Lender:
    """An array that counts how often it is lent and given back."""

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
