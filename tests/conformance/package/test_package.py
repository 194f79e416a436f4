"""The package as a whole: exports, required libraries, and the promises of the README."""

import ast
import re

import package
import pytest
from package import NAME, module


def test_version_matches_the_distribution():
    assert module.__version__.split(".")[0].isdigit()


def test_exports():
    assert set(module.__all__) <= set(dir(module)) | {"__version__"}
    assert set(module.cuvec.__all__) <= set(dir(module.cuvec))


def test_names_of_the_package_are_not_names_of_functions(run_python):
    code = f"from {NAME}.cuvec.functions import *; from {NAME}.cuvec import functions; print(functions.__all__)"
    names = ast.literal_eval(run_python(f"import {NAME}; {code}"))
    assert "axpy" in names
    assert "cuvec" not in names
    assert not hasattr(module.cuvec.functions, "nonsense")


def test_unknown_attribute():
    assert not hasattr(module, "nonsense")


def test_everything_public_is_documented():
    for name in module.cuvec.__all__:
        assert getattr(module.cuvec, name).__doc__, name
    assert module.axpy.__doc__
    assert module.dot.__doc__


def test_import_loads_no_slow_modules(run_python):
    slow = {"importlib.metadata", "multiprocessing", "numpy.testing", "asyncio", "unittest"}
    slow |= {"dataclasses", "inspect", f"{NAME}.cuvec.declaration"}
    loaded = f"import sys, numpy; before = set(sys.modules); import {NAME}; "
    loaded += "print(*sorted(set(sys.modules) - before))"
    assert not slow & set(run_python(loaded).split())


def test_import_does_not_choose_a_device(run_python):
    run_python(f"import {NAME}", CUVEC_DEVICE="nonsense")


ADAPTERS = {
    "torch": "PyTorch is not installed: pip install torch",
    "dask": "Dask is not installed: pip install 'dask[array]'",
    "jax": "JAX is not installed: pip install jax",
}
OLD = {
    "torch": (
        "__version__ = '2.3.1'; library = None",
        "PyTorch 2.3.1 is too old: pip install 'torch>=2.4'",
    ),
    "jax": (
        "import types; __version__ = '0.4.38'; version = types.SimpleNamespace(__version_info__=(0,))",
        "JAX 0.4.38 is too old: pip install 'jax>=0.9'",
    ),
}


def error_of(adapter, preparation):
    return f"""
        import sys, types
        {preparation}
        import {NAME}
        try:
            import {NAME}.{adapter}
        except ImportError as error:
            print(type(error).__name__, error.name, error)
    """


@pytest.mark.parametrize("adapter", ADAPTERS)
def test_a_missing_library_is_an_error_with_a_hint(adapter, run_python):
    output = run_python(error_of(adapter, f"sys.modules['{adapter}'] = None"))
    assert output == f"ModuleNotFoundError {adapter} {ADAPTERS[adapter]}"


def test_a_missing_dependency_of_a_library_is_reported_as_such(run_python, tmp_path):
    (tmp_path / "torch.py").write_text("import nonsense")
    output = run_python(error_of("torch", f"sys.path.insert(0, {str(tmp_path)!r})"))
    assert output == "ModuleNotFoundError nonsense No module named 'nonsense'"


@pytest.mark.parametrize("library", OLD)
def test_an_old_library(library, run_python, tmp_path):
    code, message = OLD[library]
    (tmp_path / f"{library}.py").write_text(code)
    output = run_python(error_of(library, f"sys.path.insert(0, {str(tmp_path)!r})"))
    assert output == f"ImportError {library} {message}"


@pytest.mark.parametrize("adapter", ADAPTERS)
def test_the_package_imports_no_library(adapter, run_python):
    output = run_python(f"import sys, {NAME}; print({adapter!r} in sys.modules)")
    assert output == "False"


def test_libraries_that_are_imported_in_part_do_not_disturb_calls(run_python):
    """Calls query PyTorch and CuPy for a graph capture."""
    output = run_python(f"""
        import sys, types
        from {NAME} import axpy, cuvec
        x, y = cuvec.ones(3), cuvec.zeros(3)
        part = types.SimpleNamespace
        parts = [(None, None), (part(), part()), (part(Tensor=part()), part(cuda=part()))]
        for number, (torch, cupy) in enumerate(parts):
            sys.modules.update(torch=torch, cupy=cupy)
            sys.modules["another " + str(number)] = sys
            axpy(1, x, y)
        print(y[0])
    """)
    assert output == "3.0"


def test_each_promise_of_the_readme_names_tests_that_exist():
    readme = (package.TESTS / "README.md").read_text(encoding="utf-8")
    section = readme.partition("\n## What is promised")[2].partition("\n## ")[0]
    rows = re.findall(r"^\| (.+) \| (.+) \|$", section, re.MULTILINE)[1:]  # without the header
    assert rows
    for promise, tests in rows:
        for test in tests.split(", "):
            path, _, name = test.strip("`").partition("::")
            assert (package.TESTS / path).is_file(), (promise, path)
            module_of_tests = ast.parse((package.TESTS / path).read_text(encoding="utf-8"))
            defined = {getattr(statement, "name", None) for statement in module_of_tests.body}
            assert name.startswith("test_"), (promise, test)
            assert name in defined, (promise, test)
