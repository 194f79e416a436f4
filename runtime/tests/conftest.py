"""What the tests share: the marker `gpu`, and which other libraries they run with.

The package must have the functions of the folder `kernels` here:
`pip install . -C cmake.define.KERNELS=runtime/tests/kernels` and then `pytest runtime/tests`.
"""

import gc
import os
import shutil
import signal
import subprocess
import sys
import textwrap
from pathlib import Path

os.environ.setdefault("XLA_PYTHON_CLIENT_PREALLOCATE", "false")  # JAX: leave the GPU's memory

import native
import package
import peers
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
    files = [file for file in (package.HERE / "kernels").iterdir() if file.suffix in (".cu", ".rs")]
    there = {function.__name__ for function in package.core.declared}
    return sorted({file.stem for file in files} - there)


NEEDS_GPU = os.environ.get("CUVEC_DEVICE") == "cuda"
# for `import package` in other processes
PATH = os.pathsep.join(filter(None, [str(package.HERE), os.environ.get("PYTHONPATH")]))
LEFT_OUT = peers.left_out(cuvec.device().kind)
collect_ignore = [
    file.name for library in LEFT_OUT for file in package.HERE.glob(f"test_{library}[._]*py")
]
if not has_second_gpu():
    collect_ignore += [file.name for file in package.HERE.glob("test_*two_gpus.py")]


def pytest_configure(config):
    config.addinivalue_line("markers", "gpu: needs a GPU; skipped where there is none")
    # A shell that starts the tests in the background lets them ignore Ctrl-C, and so what they start.
    if signal.getsignal(signal.SIGINT) == signal.SIG_IGN:
        signal.signal(signal.SIGINT, signal.default_int_handler)


def pytest_collection_finish():
    gc.freeze()  # what is imported stays: gc.collect() need not look through it every time


def pytest_sessionstart():
    if missing := missing_functions():
        raise pytest.UsageError(
            f"{package.NAME} has no {', '.join(missing)}: build it with the functions of these tests,"
            " pip install . -C cmake.define.KERNELS=runtime/tests/kernels"
        )


def pytest_report_header():
    left_out = "; ".join(f"{library} ({why})" for library, why in LEFT_OUT.items())
    return [f"cuvec device: {cuvec.device()}", f"libraries left out: {left_out or 'none'}"]


def pytest_runtest_setup(item):
    if item.get_closest_marker("gpu") and cuvec.device().kind == "cpu":
        pytest.skip(f"needs a GPU: {cuvec.device()}")


@pytest.hookimpl(wrapper=True)
def pytest_runtest_makereport(item):
    """Let no test be skipped with CUVEC_DEVICE=cuda."""
    report = yield
    if NEEDS_GPU and report.skipped:
        report.outcome = "failed"
        report.longrepr = f"{item.nodeid} was skipped with CUVEC_DEVICE=cuda: {report.longrepr}"
    return report


@pytest.fixture
def no_garbage():
    """Free what earlier tests left, for tests that count memory."""
    gc.collect()


@pytest.fixture
def stream():
    """Make a CUDA stream; the value is its handle."""
    with native.new_stream(cuvec.device().index) as handle:
        yield handle


@pytest.fixture(scope="session")
def fake_driver(tmp_path_factory):
    """Compile a CUDA driver that says what the environment tells it to."""
    compiler = shutil.which("cc")
    if sys.platform != "linux" or compiler is None:
        pytest.skip("needs Linux and a C compiler")
    library = tmp_path_factory.mktemp("driver") / "libcuda.so.1"
    source = Path(__file__).with_name("fake_libcuda.c")
    subprocess.run([compiler, "-shared", "-fPIC", "-o", library, source], check=True)
    library.with_suffix("").symlink_to(library)  # which some look for first
    return library


@pytest.fixture
def run_python():
    """Run code in a fresh interpreter: its output, once it ended well and complained of nothing."""

    def run(code, **environment):
        result = subprocess.run(
            [sys.executable, "-c", textwrap.dedent(code)],
            env=os.environ | {"PYTHONPATH": PATH} | environment,
            capture_output=True,
            text=True,
            timeout=300,
            check=False,
        )
        assert (result.returncode, result.stderr) == (0, "")
        return result.stdout.strip()

    return run
