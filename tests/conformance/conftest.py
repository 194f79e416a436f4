"""Shared by all tests: markers, fixtures, and which other libraries they run with.

The package, which `CUVEC_PACKAGE` names, must have the functions of a folder in `kernels`, `cu` or `rust`: `runtime/check` makes one.
"""

import gc
import os
import shutil
import signal
import subprocess
import sys
import textwrap
from pathlib import Path

SUPPORT = Path(__file__).parent / "support"
sys.path.insert(0, str(SUPPORT))
os.environ.setdefault("XLA_PYTHON_CLIENT_PREALLOCATE", "false")  # JAX: leave the GPU's memory
os.environ.setdefault("TORCHINDUCTOR_VEC_ISA_OK", "1")  # PyTorch: compile nothing to find out

import machine
import native
import package
import pytest
from package import cuvec


def has_second_gpu():
    try:
        cuvec.dev_set(1)
    except ValueError:
        return False
    cuvec.dev_set(0)
    return True


def missing_functions():
    """Return the functions that the tests call and the package was not built with."""
    return sorted(package.required_functions() - package.declared_names())


NEEDS_GPU = os.environ.get("CUVEC_DEVICE") == "cuda"
# for `import package` in other processes
PYTHONPATH = os.pathsep.join(filter(None, [str(SUPPORT), os.environ.get("PYTHONPATH")]))
UNAVAILABLE = machine.unavailable(cuvec.device().kind)
NOT_TESTED = [f"test_{library}[._]*py" for library in UNAVAILABLE]
if not has_second_gpu():
    NOT_TESTED.append("test_*two_gpus.py")
collect_ignore = [
    str(file.relative_to(package.TESTS))
    for name in NOT_TESTED
    for file in package.TESTS.rglob(name)
]


def pytest_configure(config):
    config.addinivalue_line("markers", "gpu: needs a GPU; skipped where there is none")
    config.addinivalue_line(
        "markers",
        "function(name): needs this function, which not every kernel language has; else skipped",
    )
    config.addinivalue_line(
        "markers", "library(name): needs this library; left out where it cannot be tested"
    )
    config.addinivalue_line("markers", "may_skip: finds out whether it can run, with a GPU too")
    # A shell that starts the tests in the background makes them, and what they start, ignore Ctrl-C.
    if signal.getsignal(signal.SIGINT) == signal.SIG_IGN:
        signal.signal(signal.SIGINT, signal.default_int_handler)


def pytest_collection_modifyitems(config, items):
    """Leave out the tests of libraries that cannot be tested, like the files of such libraries."""
    left_out = [it for it in items if libraries_of(it) & UNAVAILABLE.keys()]
    config.hook.pytest_deselected(items=left_out)
    items[:] = [it for it in items if not libraries_of(it) & UNAVAILABLE.keys()]


def pytest_collection_finish():
    gc.freeze()  # imported modules stay: gc.collect() need not traverse them every time


def pytest_sessionstart():
    if missing := missing_functions():
        raise pytest.UsageError(
            f"{package.NAME} has no {', '.join(missing)}: to test it with functions that have all of them,"
            f" CUVEC_PACKAGE={package.NAME} runtime/check cu (or rust)"
        )


def pytest_report_header():
    unavailable = "; ".join(f"{library} ({why})" for library, why in UNAVAILABLE.items())
    return [f"cuvec device: {cuvec.device()}", f"unavailable libraries: {unavailable or 'none'}"]


def libraries_of(item):
    """Return the libraries that a test needs besides those that its file is named after."""
    return {marker.args[0] for marker in item.iter_markers("library")}


def missing_function(item):
    """Return the function that a test needs and the package does not have."""
    marker = item.get_closest_marker("function")
    return marker and marker.args[0] not in package.declared_names() and marker.args[0]


def pytest_runtest_setup(item):
    if missing := missing_function(item):
        pytest.skip(f"{package.NAME} has no function `{missing}`")
    if item.get_closest_marker("gpu") and cuvec.device().kind == "cpu":
        pytest.skip(f"needs a GPU: {cuvec.device()}")


@pytest.hookimpl(wrapper=True)
def pytest_runtest_makereport(item):
    """With CUVEC_DEVICE=cuda, fail every test that is skipped for want of a GPU or a library."""
    report = yield
    may_skip = item.get_closest_marker("may_skip") or missing_function(item)
    if NEEDS_GPU and report.skipped and not may_skip:
        report.outcome = "failed"
        report.longrepr = f"{item.nodeid} was skipped with CUVEC_DEVICE=cuda: {report.longrepr}"
    return report


@pytest.fixture
def no_garbage():
    """Free the garbage of earlier tests, for tests that count memory."""
    gc.collect()


@pytest.fixture
def stream():
    """Make a CUDA stream; the value is its handle."""
    with native.new_stream(cuvec.device().index) as handle:
        yield handle


@pytest.fixture(scope="session")
def fake_driver(tmp_path_factory):
    """Compile a fake CUDA driver, which environment variables control."""
    compiler = shutil.which("cc")
    if sys.platform != "linux" or compiler is None:
        pytest.skip("needs Linux and a C compiler")
    library = tmp_path_factory.mktemp("driver") / "libcuda.so.1"
    source = SUPPORT / "fake_libcuda.c"
    subprocess.run([compiler, "-shared", "-fPIC", "-o", library, source], check=True)
    library.with_suffix("").symlink_to(library)  # some libraries look for this name first
    return library


@pytest.fixture
def run_python():
    """Run code in a fresh interpreter and return its output; it must succeed and print no warning."""

    def run(code, **environment):
        result = subprocess.run(
            [sys.executable, "-c", textwrap.dedent(code)],
            env=os.environ | {"PYTHONPATH": PYTHONPATH} | environment,
            capture_output=True,
            text=True,
            timeout=300,
            check=False,
        )
        assert (result.returncode, result.stderr) == (0, "")
        return result.stdout.strip()

    return run
