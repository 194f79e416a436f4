"""Documentation of arguments and results in a declaration, as `help`, editors and adapters show it."""

import ast
import importlib
import inspect
from pathlib import Path

import pytest
from package import NAME, core, module

functions = pytest.mark.parametrize("function", core.declared, ids=lambda it: it.__name__)
declaration = importlib.import_module(f"{NAME}.cuvec.declaration")

RMS_NORM = """\
Divide the rows of `x` by their root mean square, and multiply by `weight`: leading dimensions.

Reference: Zhang and Sennrich, 2019, whose text has a \\ and \"\"\".

Parameters
----------
x : array of T, shape (..., n)
    features, each row a sample
weight : array of T, shape (n,)
    what each feature is multiplied by,
    as it was learned
eps : float64, default 1e-6
    added to the mean, so that "zero" samples stay zero
{options}
Returns
-------
y : array of T, shape (..., n)
    the samples, of a root mean square of about one

Notes
-----
"""
OPTIONS = """\
out : array, optional
    For the result, instead of a new array.
stream : int or stream object, optional
    Run on this CUDA stream, without waiting if no array is in host memory.
"""


@pytest.mark.function("rms_norm")
def test_what_is_written_of_an_argument_stands_at_its_type():
    assert inspect.getdoc(module.rms_norm).startswith(RMS_NORM.format(options=OPTIONS))


@pytest.mark.function("dot")
def test_a_line_may_be_about_several():
    one = "array of T, any shape\n    vectors, or arrays of one shape\n"
    assert f"\nx : {one}y : {one}" in module.dot.__doc__
    assert "\na : T\n    what `x` is multiplied by\n" in module.axpy.__doc__
    assert "\ny : array of T, any shape, written in place\n" in module.axpy.__doc__


LIBRARIES = [pytest.param(it, marks=pytest.mark.library(it)) for it in ("torch", "jax", "dask")]


@pytest.mark.parametrize("adapter", LIBRARIES)
@pytest.mark.function("rms_norm")
def test_other_libraries_have_the_same(adapter):
    adapted = importlib.import_module(f"{NAME}.{adapter}")
    assert inspect.getdoc(adapted.rms_norm).startswith(RMS_NORM.format(options=""))
    changes = "No array changes: what is written is returned"
    assert (changes in adapted.axpy.__doc__) == (adapter != "torch")
    assert changes not in adapted.rms_norm.__doc__


@functions
def test_the_stub_has_the_docstring_at_each_signature(function):
    stub = ast.parse(Path(core.__file__).with_name("functions.pyi").read_text("utf-8"))
    found = [
        it for it in stub.body if isinstance(it, ast.FunctionDef) and it.name == function.__name__
    ]
    assert found
    for signature in found:
        assert ast.get_docstring(signature) == inspect.getdoc(function)


@functions
def test_notes_hold_of_this_function(function):
    read = declaration.declarations()[function.__name__]
    doc = inspect.getdoc(function)
    written = [it for it in read.arrays if it.written]
    arrays_of_results = [it for it in read.results if it.shape is not None]
    assert ("strides" in doc) == any(it.layout for it in read.arrays)
    assert ("broadcast" in doc) == bool(read.arrays)
    assert ("real(" in doc) == ("real(" in read.text)
    assert ("`CuVec`" in doc) == bool(arrays_of_results)
    assert (", written in place" in doc) == any(it.direction == "inout" for it in written)
    contiguous = [it.name for it in written if not it.layout]
    contiguous += ["out"] if read.returned and not read.results[0].layout else []
    (note,) = [it for it in doc.splitlines() if "must be C-contiguous" in it] or [""]
    assert [
        name
        for name in (*map(_name, read.arrays), "out")
        if f"`{name}`" in note.partition(" must")[0]
    ] == contiguous


def _name(argument):
    return argument.name


WRITTEN = {
    "nonzero": "`out` must be C-contiguous, and not overlap with other arrays.",
    "rotary": "`x` must not overlap with other arrays.",
    "activate": "`out` may share its memory with arguments that are read.",
    "swap": "`x` and `y` must not overlap with one another.",
    "iota": "`out` must be C-contiguous, and not overlap with other arrays.",
}


@pytest.mark.parametrize(
    "name", [pytest.param(it, marks=pytest.mark.function(it)) for it in WRITTEN]
)
def test_what_holds_of_arrays_that_are_written(name):
    assert inspect.getdoc(getattr(module, name)).splitlines()[-1] == WRITTEN[name]
