"""What SWIG makes of the declarations in `src/module/functions.i`."""

import array
import contextlib
import importlib.machinery
import inspect

import numpy as np
import pytest
from package import core


def functions():
    return [it for name, it in vars(core).items() if callable(it) and name != "Buffer"]


@pytest.fixture
def x():
    return np.ones(3, "float32")


def test_the_module_is_the_extension_itself():
    assert core.__file__.endswith(tuple(importlib.machinery.EXTENSION_SUFFIXES))
    assert core.__doc__


@pytest.mark.parametrize("function", functions(), ids=lambda it: it.__name__)
def test_functions_have_a_docstring_and_a_signature(function):
    assert function.__module__ == core.__name__
    assert function.__doc__.strip()
    for parameter in inspect.signature(function).parameters.values():
        assert (parameter.kind is parameter.KEYWORD_ONLY) == (parameter.name == "stream")


def test_arguments_have_names(x):
    core.axpy(y=x, x=np.ones(3, "float32"), a=2)
    np.testing.assert_array_equal(x, 3)


def test_a_stream_is_passed_by_its_name_only(x):
    core.axpy(2, np.ones(3, "float32"), x, stream=None)
    np.testing.assert_array_equal(x, 3)
    with pytest.raises(TypeError, match=r"^axpy\(\) takes stream only by its name$"):
        core.axpy(2, np.ones(3, "float32"), x, None)
    np.testing.assert_array_equal(x, 3)


@pytest.mark.parametrize("a", [2, True, np.float32(2), np.float64(2), np.int8(2), np.array(2.0)])
def test_a_float_is_what_python_can_make_one_of(a, x):
    core.axpy(a, np.ones(3, "float32"), x)
    np.testing.assert_array_equal(x, 1 + float(a))


@pytest.mark.parametrize("a", ["2", None, 2j, [2]])
def test_a_float_is_nothing_else(a, x):
    with pytest.raises(TypeError):
        core.axpy(a, np.ones(3, "float32"), x)
    np.testing.assert_array_equal(x, 1)


@pytest.mark.parametrize("other", [np.ones(3, "float32"), np.ones(4, "float32"), "no array"])
def test_arrays_are_given_back(other):
    """After a call and after an error: an `array.array` that is lent cannot grow."""
    y = array.array("f", [1, 1, 1])
    with contextlib.suppress(TypeError, ValueError):
        core.axpy(2, y, other)
    y.append(1)


@pytest.mark.parametrize("arguments", [(), (1,), (1, 2), (1, 2, 3, 4, 5)])
def test_the_number_of_arguments_is_checked(arguments):
    with pytest.raises(TypeError, match="axpy"):
        core.axpy(*arguments)


def test_unknown_names_are_refused(x):
    with pytest.raises(TypeError, match="streem"):
        core.dot(x, x, streem=None)
