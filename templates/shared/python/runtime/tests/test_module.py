"""The module as the interpreter sees it: its class and functions, a second import, the end of the interpreter."""

import importlib
import importlib.machinery
import inspect
import sys

import pytest
from package import NAME, core

HEAP_TYPE, IMMUTABLE_TYPE = 1 << 9, 1 << 8
FUNCTIONS = {
    "assign": "(x, y, *, stream=None)",
    "dev_set": "(index)",
    "dev_sync": "()",
    "device": "()",
    "empty_cache": "()",
    "memory_stats": "()",
    "set_array_factory": "(factory)",
    "xla_handler": "(on_gpu, other)",
}


def test_the_module_is_the_extension_itself():
    assert core.__file__.endswith(tuple(importlib.machinery.EXTENSION_SUFFIXES))
    assert core.__doc__


def test_functions_are_builtin_and_have_signatures():
    public = {name for name in vars(core) if not name.startswith("_")}
    assert public == {*FUNCTIONS, "Buffer", "declared", "signatures"}
    for name, signature in FUNCTIONS.items():
        function = getattr(core, name)
        assert inspect.isbuiltin(function)
        assert function.__module__ == core.__name__
        assert str(inspect.signature(function)) == signature
        assert function.__doc__


def test_declared_functions_are_builtin():
    assert core.declared
    assert all(inspect.isbuiltin(function) for function in core.declared)
    assert all(function.__text_signature__ for function in core.declared)


def test_the_class_is_made_at_run_time_and_does_not_change():
    buffer = core.Buffer
    assert (buffer.__module__, buffer.__qualname__) == (core.__name__, "Buffer")
    assert buffer.__flags__ & HEAP_TYPE
    assert buffer.__flags__ & IMMUTABLE_TYPE
    with pytest.raises(TypeError, match="immutable"):
        buffer.shape = 3
    assert str(inspect.signature(buffer)) == "(shape, typestr, memory, zero)"
    for name, member in vars(buffer).items():
        assert name.startswith("_") or inspect.getdoc(member), name


def test_a_second_import_knows_the_arrays_of_the_first(monkeypatch):
    x = core.Buffer((3,), "<f4", "managed", True)
    monkeypatch.delitem(sys.modules, core.__name__)
    again = importlib.import_module(core.__name__)
    assert again.Buffer is core.Buffer
    assert [function(x, x) for function in again.declared if function.__name__ == "dot"] == [0]


def test_arrays_outlive_everything_else(run_python):
    """The interpreter ends without a word, whatever is still referred to, and from where."""
    code = f"""
    import atexit, sys, threading
    from package import core, cuvec
    x = cuvec.ones(1000)
    view, capsule = memoryview(x.cuvec), x.__dlpack__()
    cycle = [x]
    cycle.append(cycle)
    sys.modules["held"] = x.cuvec
    atexit.register(lambda: cuvec.zeros(3))
    local = threading.local()
    local.buffer = core.Buffer((3,), "<f4", "managed", True)
    del sys.modules[core.__name__], sys.modules["{NAME}"]
    print("done")
    """
    assert run_python(code) == "done"


def test_daemon_threads_end_with_the_interpreter(run_python):
    """Inside Python code, where they wait for an interpreter that has gone."""
    code = """
    import threading, time
    from package import core, cuvec, dot
    x = cuvec.ones(1000)
    class Exporter:
        def __dlpack__(self, **arguments):
            time.sleep(0)
            return x.__dlpack__(**arguments)
        def __dlpack_device__(self):
            time.sleep(0)
            return x.__dlpack_device__()
    def work():
        while True:
            dot(Exporter(), Exporter())
            core.Buffer((3,), "<f4", "managed", True)
    for _ in range(8):
        threading.Thread(target=work, daemon=True).start()
    time.sleep(0.1)
    """
    assert run_python(code) == ""
