"""Each binding tool: the package builds without warnings with kernels in both languages, and its tests pass, `src/` among
them."""

import shutil
from collections.abc import Callable
from pathlib import Path

import pytest
from daemon_threads import CALLS
from environment import Environment, groups, passed_by_file
from generator import BRIDGES, KERNELS, scaffold, unpack
from shell import ROOT, run

PUSHED = ("pyo3", "nanobind")  # one in Rust and one in C++


@pytest.fixture(
    scope="module", params=[pytest.param(it, marks=() if it in PUSHED else pytest.mark.night) for it in BRIDGES]
)
def binding(request: pytest.FixtureRequest) -> str:
    return request.param


@pytest.fixture(scope="module")
def project(binding: str, folder: Path) -> Path:
    """A package with a kernel in CUDA C++ and one in Rust, for the bindings to call and to be linked with."""
    package = scaffold(folder / binding / "mypkg", bridge=binding, kernels="cu")
    for path in (package / "kernels/dot.cu", package / "tests/test_dot.py"):
        path.unlink()
    shutil.copy(ROOT / "bench/kernels/rust/scale.rs", package / "kernels")
    shutil.copy(ROOT / "bench/kernels/tests/test_scale.py", package / "tests")
    return package


@pytest.fixture(scope="module")
def bound(binding: str, project: Path) -> Environment:
    """Python 3.13 in which it was built and installed."""
    environment = Environment(
        project.parent / "python-3.13", "3.13", "numpy", *groups(project, "build", "test", "lint")
    )
    # nvcc compiles the same file for all bindings: it is seen to do so once from Rust and once from C++.
    environment.install_package(project, CUDA="ON" if binding in PUSHED else "OFF")
    return environment


def test_its_tests_pass(project: Path, bound: Environment) -> None:
    report = project.parent / "tests.xml"
    assert set(bound.pytest(project, f"--junit-xml={report}")) <= {"passed", "skipped"}
    passed = passed_by_file(report)
    assert passed["test_ext"] >= 3
    assert passed["test_scale"] >= 2
    assert passed["test_axpy"] >= 10


@pytest.mark.parametrize("call", CALLS)
def test_daemon_threads_may_be_in_calls_at_the_end(call: str, bound: Environment, tmp_path: Path) -> None:
    program = ROOT / "ci/package/daemon_threads.py"
    said = bound.python(program, call, cwd=tmp_path, env={"CUVEC_DEVICE": "cpu"})
    assert "Traceback" not in said  # nanobind tells what they leak


@pytest.mark.night
def test_types(mypy: Callable[[Path, Environment], str], project: Path, bound: Environment) -> None:
    mypy(project, bound)


PROGRAM = """
from mypkg import cuvec, ext

x: cuvec.CuVec = ext.line(0, 1, 5)
with ext.Smoother(5, strength=0.75) as smoother:
    smoother.apply(x)
rounds: int = ext.relax(x, tolerance=1e-3)
"""
WRONG = 'from mypkg import ext\n\next.line("0", 1, 5)\next.lines(0, 1, 5)\n'


def test_types_of_the_module_in_src(mypy: Callable[..., str], bound: Environment, tmp_path: Path) -> None:
    """A checker reads its stub in place of the module; with ctypes, the module itself."""
    program, wrong = tmp_path / "program.py", tmp_path / "wrong.py"
    program.write_text(PROGRAM)
    wrong.write_text(WRONG)
    mypy(tmp_path, bound, "--strict", program)
    bound.python(program, cwd=tmp_path)
    assert "Found 2 errors" in mypy(tmp_path, bound, "--strict", wrong, ok=False)


def test_clippy(project: Path, bound: Environment) -> None:
    if not (project / "Cargo.toml").exists():
        pytest.skip("no Rust in src/")
    env = {**bound.active, "CUVEC_INCLUDE": str(unpack(project) / "include")}  # as the build gives it
    run("cargo", "clippy", "--locked", "--", "-D", "warnings", cwd=project, env=env)


def test_the_language_of_kernels_does_not_matter(binding: str, tmp_path: Path) -> None:
    """So that one of them is enough for `bound`."""
    packages = [scaffold(tmp_path / kernels, bridge=binding, kernels=kernels) for kernels in KERNELS]
    for folder in ("src", "runtime"):
        run("diff", "--recursive", *(package / folder for package in packages))
