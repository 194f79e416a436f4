"""The package as a whole."""

from package import NAME, module


def test_version_is_that_of_the_distribution():
    assert module.__version__.split(".")[0].isdigit()


def test_exports():
    assert set(module.__all__) <= set(dir(module)) | {"__version__"}
    assert set(module.cuvec.__all__) <= set(dir(module.cuvec))


def test_unknown_attribute():
    assert not hasattr(module, "nonsense")


def test_everything_public_is_documented():
    for name in module.cuvec.__all__:
        assert getattr(module.cuvec, name).__doc__, name
    assert module.axpy.__doc__
    assert module.dot.__doc__


def test_import_loads_no_slow_modules(run_python):
    slow = {"importlib.metadata", "multiprocessing", "numpy.testing", "asyncio", "unittest"}
    loaded = f"import sys, numpy; before = set(sys.modules); import {NAME}; "
    loaded += "print(*sorted(set(sys.modules) - before))"
    assert not slow & set(run_python(loaded).split())


def test_import_does_not_choose_a_device(run_python):
    run_python(f"import {NAME}", CUVEC_DEVICE="nonsense")
