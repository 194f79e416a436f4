"""The native module as the interpreter sees it, its copies in one process, and two packages."""

import gc
import importlib
import importlib.machinery
import importlib.util
import inspect
import shutil
import sys
from pathlib import Path

import numpy as np
import package
import pytest
from package import axpy, core, cuvec, dot, swap

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
        assert inspect.isbuiltin(function) or function in {core.Buffer, core.Object}
        assert function.__module__ == core.__name__
        assert inspect.getdoc(function), function
        assert inspect.signature(function)


def test_new_arrays_are_of_a_subclass_of_numpys():
    with pytest.raises(TypeError, match="none of NumPy's"):
        core.set_array_class(int, str)


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
    assert output[-1] == "3.0"  # where NumPy refuses it, its message has several lines


@pytest.fixture(scope="module")
def other(tmp_path_factory):
    """Import a copy of the package under another name."""
    here = Path(package.module.__file__).parent
    if not list(here.glob("cuvec/*.so")) and not list(here.glob("cuvec/*.pyd")):
        pytest.skip("editable install: the native module is elsewhere")
    folder = tmp_path_factory.mktemp("packages")
    shutil.copytree(here, folder / "the_other_package")
    sys.path.insert(0, str(folder))
    yield importlib.import_module("the_other_package")
    sys.path.remove(str(folder))


@pytest.mark.parametrize("memory", ["managed", "pinned"])
def test_each_takes_arrays_of_the_other(other, memory):
    ours, theirs = cuvec.ones(1000, memory=memory), other.cuvec.full(1000, 2, memory=memory)
    axpy(3, theirs, ours)
    assert (ours == 7).all()
    other.axpy(1, ours, theirs)
    assert (theirs == 9).all()
    axpy(1, ours[:10], theirs[10:20])
    assert theirs[8:22].tolist() == [9] * 2 + [16] * 10 + [9] * 2
    assert dot(theirs[:10], ours[:10]) == other.dot(ours[:10], theirs[:10]) == 630


def test_arrays_of_the_other_are_checked_like_our_own(other):
    ours, theirs = cuvec.ones(6), other.cuvec.ones(6)
    with pytest.raises(TypeError, match="dtype"):
        axpy(1, other.cuvec.ones(6, "f8"), ours)
    with pytest.raises(ValueError, match="contiguous"):
        other.iota(6, start=0, out=other.cuvec.zeros(12, "i8")[::2])
    doubles = other.cuvec.ones(6, "f8")
    with pytest.raises(ValueError, match="overlap"):
        swap(doubles, doubles)
    theirs.flags.writeable = False
    with pytest.raises(ValueError, match="read-only"):
        axpy(1, ours, theirs)
    assert (ours == 1).all()


@pytest.mark.gpu
@pytest.mark.parametrize("memory", ["managed", "pinned"])
def test_their_memory_is_not_copied(other, memory):
    ours, theirs = cuvec.ones(1 << 20), other.cuvec.ones(1 << 20, memory=memory)
    axpy(1, theirs, ours)
    before = cuvec.memory_stats()
    for _ in range(3):
        axpy(1, theirs, ours)
        axpy(1, ours, theirs)
    assert cuvec.memory_stats() == before


@pytest.mark.gpu
def test_ours_comes_after_their_work(other, stream):
    x, theirs, ours = other.cuvec.ones(1 << 20), other.cuvec.zeros(1 << 20), cuvec.zeros(1 << 20)
    for _ in range(50):
        other.axpy(1, x, theirs, stream=stream)
    axpy(1, theirs, ours)
    np.testing.assert_array_equal(np.asarray(ours), np.full(1 << 20, 50, "f4"))


@pytest.mark.gpu
def test_their_memory_is_retained_until_our_call_is_done(other, stream):
    ours = cuvec.zeros(1 << 20)
    for _ in range(20):
        axpy(1, other.cuvec.ones(1 << 20), ours, stream=stream)
        other.cuvec.zeros(1 << 20)  # reuses free memory
    cuvec.dev_sync()
    assert (ours == 20).all()
