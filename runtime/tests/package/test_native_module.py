"""The native module as the interpreter sees it: its functions, its class, and other interpreters."""

import gc
import importlib
import importlib.machinery
import importlib.util
import inspect
import sys

import pytest
from package import core, cuvec, dot

SIGNATURES = {
    "assign": "(x, y, *, stream=None)",
    "dev_set": "(index)",
    "dev_sync": "()",
    "device": "()",
    "empty_cache": "()",
    "memory_stats": "()",
}
# Loads the library by its path: importing the package would import NumPy first, which refuses as well.
LOAD = """
import importlib.util
spec = importlib.util.spec_from_file_location("_core", {path!r})
try:
    spec.loader.exec_module(importlib.util.module_from_spec(spec))
except ImportError as error:
    print("ImportError:", error, flush=True)
"""
INTERPRETERS = """
try:
    import _interpreters as interpreters
except ImportError:  # before Python 3.13
    import _xxsubinterpreters as interpreters
from package import core, cuvec, dot
x = cuvec.ones(3)
other = interpreters.create({configuration})
interpreters.run_string(other, {load!r})
interpreters.destroy(other)
print(dot(x, cuvec.ones(3)))
"""


def test_the_module_is_an_extension_module():
    assert core.__file__.endswith(tuple(importlib.machinery.EXTENSION_SUFFIXES))
    assert core.__doc__


@pytest.mark.parametrize("name", SIGNATURES)
def test_signatures(name):
    function = getattr(core, name)
    assert inspect.isbuiltin(function)
    assert str(inspect.signature(function)) == SIGNATURES[name]


def test_functions_are_builtin_and_documented():
    functions = [it for name, it in vars(core).items() if callable(it) and not name.startswith("_")]
    for function in functions:
        assert inspect.isbuiltin(function) or function is core.Buffer
        assert function.__module__ == core.__name__
        assert inspect.getdoc(function), function
        assert inspect.signature(function)


def test_declared_functions_are_builtin():
    assert core.declared
    assert all(inspect.isbuiltin(function) for function in core.declared)
    assert all(function.__text_signature__ for function in core.declared)


def test_the_class_is_documented():
    assert (core.Buffer.__module__, core.Buffer.__qualname__) == (core.__name__, "Buffer")
    assert str(inspect.signature(core.Buffer)) == "(shape, typestr, memory, zero)"
    for name, member in vars(core.Buffer).items():
        assert name.startswith("_") or inspect.getdoc(member), name


def test_a_buffer_cannot_become_another_object_nor_another_object_a_buffer():
    class Other:
        __slots__ = ()

    buffer = cuvec.ones(4).cuvec
    with pytest.raises(TypeError):
        buffer.__class__ = Other
    with pytest.raises(TypeError):
        Other().__class__ = type(buffer)
    for name in ("ptr", "shape", "nbytes", "typestr", "memory", "device", "unknown"):
        with pytest.raises(AttributeError):
            setattr(buffer, name, 1)


def test_a_second_import_takes_the_arrays_of_the_first(monkeypatch):
    x = core.Buffer((3,), "<f4", "managed", True)
    monkeypatch.delitem(sys.modules, core.__name__)
    again = importlib.import_module(core.__name__)
    assert again.Buffer is core.Buffer
    assert [function(x, x) for function in again.declared if function.__name__ == "dot"] == [0]


def test_a_module_that_is_loaded_again_takes_the_arrays_of_the_first():
    x = cuvec.ones(3)
    again = importlib.util.module_from_spec(core.__spec__)
    core.__spec__.loader.exec_module(again)
    gc.collect()
    assert again.Buffer is core.Buffer
    dots = [function for function in again.declared if function.__name__ == "dot"]
    assert [function(x, x) for function in dots] == [dot(x, x)] == [3]


@pytest.mark.parametrize("kind", ["isolated", "legacy"])
def test_other_interpreters_are_refused_without_harm(run_python, kind):
    new = sys.version_info >= (3, 13)
    configuration = repr(kind) if new else f"isolated={kind == 'isolated'}"
    load = LOAD.format(path=core.__file__)
    output = run_python(INTERPRETERS.format(configuration=configuration, load=load)).splitlines()
    assert output[0].startswith("ImportError: ")
    assert output[1:] == ["3.0"]
