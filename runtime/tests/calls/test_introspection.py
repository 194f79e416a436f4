"""Declared functions in `help`, `inspect` and `pickle`: they are functions of the package."""

import copy
import inspect
import pickle
import pydoc
import weakref

import package
import pytest
from package import NAME, core, gemv, histogram, module, pieces, spin

SIGNATURES = {
    "axpy": "(a, x, y, *, stream=None)",
    "dot": "(x, y, *, out=None, stream=None)",
    "fail": "(how, y, *, threads=False, stream=None)",
    "fill": "(y, a, *, stream=None)",
    "gemv": "(a, x, *, alpha=1, beta=-0.5, out=None, stream=None)",
    "histogram": "(x, bins=4, *, low=-0.5, high=1.5, out=None, stream=None)",
    "iota": "(n, *, start, step=-1, out=None, stream=None)",
    "pieces": "(x, *, out=None, stream=None)",
    "ramp": "(*, out=None, stream=None)",
    "rotate": "(matrix, points, *, stream=None)",
}
functions = pytest.mark.parametrize("function", core.declared, ids=lambda it: it.__name__)


@functions
def test_functions_can_be_weakly_referenced(function):
    assert weakref.ref(function)() is function


@pytest.mark.parametrize("name", SIGNATURES)
def test_signatures(name):
    function = getattr(module, name)
    assert str(inspect.signature(function)) == SIGNATURES[name]
    assert inspect.getfullargspec(function).kwonlydefaults["stream"] is None


def test_defaults_are_python_values():
    default = {
        parameter.name: parameter.default
        for function in (gemv, histogram, spin)
        for parameter in inspect.signature(function).parameters.values()
    }
    assert [(type(default[name]), default[name]) for name in ("bins", "beta", "threads")] == [
        (int, 4),
        (float, -0.5),
        (bool, False),
    ]


def test_every_file_is_a_function_of_the_package():
    names = package.required_functions()
    assert names <= {function.__name__ for function in core.declared}
    assert names <= set(module.__all__)


@functions
def test_names_are_those_of_the_package(function):
    name = function.__name__
    assert getattr(module, name) is function
    assert (function.__module__, function.__qualname__) == (NAME, name)
    assert name in module.__all__
    assert name in repr(function)


@functions
def test_functions_are_pickled_by_their_names(function):
    for protocol in range(pickle.HIGHEST_PROTOCOL + 1):
        assert pickle.loads(pickle.dumps(function, protocol)) is function
    assert copy.copy(function) is copy.deepcopy(function) is function


@functions
def test_help_has_the_docstring_and_every_parameter(function):
    text = pydoc.plain(pydoc.render_doc(function))
    signature = inspect.signature(function)
    assert f"{function.__name__}{signature}" in text
    assert "--" not in text.splitlines()  # the end of the text signature is hidden
    for name in signature.parameters:
        assert f"{name} : " in text


def test_docstrings_are_complete():
    first, _, rest = inspect.getdoc(pieces).partition("\n\n")
    assert first == "Several results, whose extents are calculated."
    assert "every other element" in rest


@functions
def test_signatures_are_available_as_declared(function):
    declared = core.signatures[function.__name__]
    assert declared.startswith((f"{function.__name__}(", f"{function.__name__}<"))
    assert declared in function.__doc__


def test_each_function_has_a_signature():
    assert list(core.signatures) == [function.__name__ for function in core.declared]
    assert core.signatures["axpy"] == "axpy<T: float32, float64>(a: T, x: T(...), y: inout T(...))"
