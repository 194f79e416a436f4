"""A package that its owner has changed, built on a later Python, without CUDA and with warnings as errors, works on the CPU.

The first kernel of the documentation was added, and functions were deleted, renamed and given a dtype in their file and nowhere else.
"""

import re
import shutil
from collections import Counter
from pathlib import Path

import pytest
from environment import Environment, groups, passed_by_file
from files import copied
from pins import pin
from recipe import follow

pytestmark = pytest.mark.night


@pytest.fixture(scope="module")
def changed_sources(work: Path, package: Path) -> Path:
    copy = copied(package, work / "changed" / "mypkg")
    follow(copy)
    delete(copy, "dot")
    rename(copy, "axpy", "saxpy")
    add_int32(copy, "saxpy")
    shutil.rmtree(copy / "src")  # which may call `axpy`, and has tests of its own
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
def changed(work: Path, changed_sources: Path) -> Environment:
    environment = Environment(
        work / "python-3.13-changed", "3.13", *groups(changed_sources, "build", "test"), "numpy", pin("mypy")
    )
    environment.install_package(changed_sources, CUDA="OFF", CUDACXX=str(work / "no-nvcc"))
    return environment


@pytest.fixture(scope="module")
def passed(work: Path, changed_sources: Path, changed: Environment) -> Counter[str]:
    """How many tests of each file have passed, and no other has failed."""
    report = work / "changed.xml"
    assert set(changed.pytest(changed_sources, f"--junit-xml={report}", tests=["tests"])) == {"passed"}
    return passed_by_file(report)


def test_it_says_that_it_has_no_cuda(changed: Environment) -> None:
    shown = changed.python("-c", "from mypkg import cuvec; print(cuvec.device())", cwd=changed.bin)
    assert "cpu" in shown
    assert "CUDA=OFF" in shown or "without CUDA" in shown


def test_functions_that_were_added_deleted_and_renamed(passed: Counter[str], changed: Environment) -> None:
    assert passed["test_soft_threshold"] >= 2
    assert passed["test_saxpy"] >= 10
    names = "import mypkg; print(*mypkg.__all__, hasattr(mypkg, 'dot'), hasattr(mypkg, 'axpy'))"
    *exported, dot, axpy = changed.python("-c", names, cwd=changed.bin).split()
    assert {"saxpy", "soft_threshold"} <= {*exported}
    assert not {"axpy", "dot"} & {*exported}
    assert (dot, axpy) == ("False", "False")


def test_the_dtype_that_was_added(changed: Environment) -> None:
    call = "from mypkg import cuvec, saxpy; y = cuvec.ones(3, 'i4'); saxpy(2, y.copy(), y); print(y.tolist(), y.dtype)"
    assert "[3, 3, 3] int32" in changed.python("-c", call, cwd=changed.bin)


def test_stubtest(changed: Environment, tmp_path: Path) -> None:
    """On a Python that shows `__buffer__`, which came with 3.12."""
    allowed = tmp_path / "allowed.txt"
    # pyo3 writes it; the stub needs none, as all its names are public.
    allowed.write_text("mypkg\\.cuvec\\._core\\.__all__\n")
    modules = ("mypkg.cuvec._core", "mypkg.cuvec.functions")
    changed.python("-m", "mypy.stubtest", *modules, f"--allowlist={allowed}", cwd=tmp_path)
