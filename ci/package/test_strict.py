"""The package as its owner changes it, built on a later Python, without CUDA and with warnings as errors, works on the CPU.

One build proves what differs from bridge to bridge: its code gives no warning; "Add a kernel" is right; functions are
deleted, renamed and given a dtype in their file and nowhere else; the code does without CUDA, and it is for later versions
of Python too.
"""

from __future__ import annotations

import re
import shutil
from collections import Counter
from collections.abc import Callable
from pathlib import Path

import pytest
from developer import QUICK, QUICK_FILE_BY_FILE
from environment import Environment, passed_by_file
from generator import Combination
from pins import pin
from proofs import is_compiled_file_by_file
from recipe import follow


@pytest.fixture(scope="module")
def extended_sources(work: Path, package: Path) -> Path:
    """A copy in which the recipe "Add a kernel" was followed, and the samples were made somebody's own."""
    copy = Path(shutil.copytree(package, work / "strict" / "mypkg"))
    follow(copy)
    delete(copy, "dot")
    rename(copy, "axpy", "saxpy")
    add_int32(copy, "saxpy")
    return copy


def kernel(package: Path, name: str) -> Path:
    (file,) = (package / "kernels").glob(f"{name}.[cr]*")
    return file


def delete(package: Path, name: str) -> None:
    kernel(package, name).unlink()
    (package / f"tests/test_{name}.py").unlink()


def rename(package: Path, old: str, new: str) -> None:
    """One word, in the file of the function and in its test."""
    for file in (kernel(package, old), package / f"tests/test_{old}.py"):
        file.write_text(re.sub(rf"\b{old}\b", new, file.read_text()))
        file.rename(file.with_name(file.name.replace(old, new)))


def add_int32(package: Path, name: str) -> None:
    """One word in the list of dtypes."""
    file = kernel(package, name)
    text, count = re.subn(r"\bfloat64>", "float64, int32>", file.read_text())
    text, count_in_rust = re.subn(r"\bf64>", "f64 | i32>", text)
    assert count + count_in_rust == 1
    file.write_text(text)


@pytest.fixture(scope="module")
def strict(work: Path, combination: Combination, extended_sources: Path) -> Environment:
    environment = Environment(work / "python-3.13-strict", "3.13")
    groups = (f"--group={extended_sources / 'pyproject.toml'}:{group}" for group in ("build", "test"))
    environment.install(*groups, "numpy", pin("mypy"))
    options = ("--no-build-isolation", "--no-deps")
    no_nvcc = {"CUDA": "OFF", "CUDACXX": str(work / "no-nvcc")}
    profile = QUICK_FILE_BY_FILE if is_compiled_file_by_file(combination) else QUICK
    env = {"PATH": environment.path, "SKBUILD_BUILD_DIR": str(work / "strict-build"), **no_nvcc, **profile}
    environment.pip("install", *options, extended_sources, env=env)
    return environment


def test_it_says_that_it_has_no_cuda(strict: Environment) -> None:
    shown = strict.python("-c", "from mypkg import cuvec; print(cuvec.device())", cwd=strict.bin)
    assert "cpu" in shown
    assert "CUDA=OFF" in shown or "without CUDA" in shown


@pytest.fixture(scope="module")
def passed(work: Path, extended_sources: Path, strict: Environment) -> Counter[str]:
    """How many tests of each file have passed, and no other has failed."""
    report = work / "strict.xml"
    assert set(strict.pytest(extended_sources, f"--junit-xml={report}")) <= {"passed", "skipped"}
    return passed_by_file(report)


def test_suite(passed: Counter[str]) -> None:
    assert passed["test_ext"] >= 3


def test_the_kernel_that_was_added(passed: Counter[str]) -> None:
    assert passed["test_scale"] >= 2


def test_the_function_that_was_deleted(strict: Environment) -> None:
    strict.python("-c", "import mypkg; assert 'dot' not in mypkg.__all__ and not hasattr(mypkg, 'dot')", cwd=strict.bin)


def test_the_function_that_was_renamed(passed: Counter[str], strict: Environment) -> None:
    assert passed["test_saxpy"] >= 10
    strict.python("-c", "import mypkg; assert 'saxpy' in mypkg.__all__ and not hasattr(mypkg, 'axpy')", cwd=strict.bin)


def test_the_dtype_that_was_added(strict: Environment) -> None:
    call = "from mypkg import cuvec, saxpy; y = cuvec.ones(3, 'i4'); saxpy(2, y.copy(), y); print(y.tolist(), y.dtype)"
    assert "[3, 3, 3] int32" in strict.python("-c", call, cwd=strict.bin)


def test_stubtest(combination: Combination, strict: Environment, tmp_path: Path) -> None:
    """On a Python that shows `__buffer__`, which came with 3.12. `stubtest/` says what a binding tool cannot show."""
    allowed = [f"--allowlist={path}" for path in Path(__file__).parent.glob(f"stubtest/{combination.bridge}.txt")]
    strict.python("-m", "mypy.stubtest", "mypkg.cuvec._core", "mypkg.cuvec.functions", *allowed, cwd=tmp_path)


def test_mypy(mypy: Callable[[Path, Environment], str], extended_sources: Path, on_311: Environment) -> None:
    mypy(extended_sources, on_311)
