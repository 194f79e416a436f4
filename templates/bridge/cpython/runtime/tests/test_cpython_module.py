"""The module loaded again, and by other interpreters: what the C API leaves to the module itself."""

import gc
import importlib.util
import sys
import weakref

import pytest
from package import core, cuvec, dot

# Loads the library by its path: importing the package would ask NumPy first, which refuses as well.
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


def load_again():
    """Make another module, as an import does that finds none in `sys.modules`."""
    module = importlib.util.module_from_spec(core.__spec__)
    core.__spec__.loader.exec_module(module)
    return module


def test_a_module_that_is_loaded_again_knows_the_arrays_of_the_first():
    x = cuvec.ones(3)
    again = load_again()
    assert again is not core
    assert again.Buffer is core.Buffer
    dots = [function for function in again.declared if function.__name__ == "dot"]
    assert [function(x, x) for function in dots] == [dot(x, x)] == [3]


def test_modules_that_are_loaded_again_are_freed():
    again = [weakref.ref(load_again()) for _ in range(10)]
    gc.collect()
    assert [module() for module in again] == [None] * 10


@pytest.mark.parametrize("kind", ["isolated", "legacy"])
def test_other_interpreters_are_refused_and_do_no_harm(run_python, kind):
    new = sys.version_info >= (3, 13)
    configuration = repr(kind) if new else f"isolated={kind == 'isolated'}"
    load = LOAD.format(path=core.__file__)
    output = run_python(INTERPRETERS.format(configuration=configuration, load=load)).splitlines()
    assert output[0].startswith("ImportError: ")
    assert output[1:] == ["3.0"]
