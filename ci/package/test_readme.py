"""What README.md of a package tells its reader to do works when done to the letter."""

from __future__ import annotations

import os
import re
import shutil
import time
from pathlib import Path

import pytest
from environment import Environment, interpreter
from recipe import commands, edits, section
from shell import run


def test_session(package: Path, on_311: Environment, tmp_path: Path) -> None:
    readme = tmp_path / "README.md"
    readme.write_text(re.sub(r"^```.*$", "", (package / "README.md").read_text(), flags=re.MULTILINE))
    shown = on_311.python("-m", "doctest", "-v", readme, cwd=tmp_path, env={"CUVEC_DEVICE": "cpu"})
    assert int(re.search(r"(\d+) passed", shown)[1]) >= 10


class Developer:
    """Somebody who typed the commands of the section "Develop" into a shell."""

    def __init__(self, package: Path) -> None:
        self.package = package
        self.activate = "source .venv/bin/activate"

    def types(self, script: str) -> str:
        path = f"{interpreter('3.11').parent}{os.pathsep}{os.environ['PATH']}"
        return run("bash", "-euo", "pipefail", "-c", script, cwd=self.package, env={"PATH": path})

    def python(self, code: str) -> str:
        return self.types(f"{self.activate} && cd / && python -c '{code}'")


@pytest.fixture(scope="session")
def developer(package: Path, work: Path) -> Developer:
    somebody = Developer(Path(shutil.copytree(package, work / "developer" / "mypkg")))
    install = commands(section((package / "README.md").read_text(), "Develop"))
    assert "editable.rebuild=true" in install
    somebody.types(install)
    return somebody


def timed_rebuild(developer: Developer, capsys: pytest.CaptureFixture[str], what: str) -> Path:
    """Imports the package, which rebuilds it; returns the library that it loads."""
    time.sleep(1)  # `cmake --install` takes a library for unchanged if it is less than a second younger
    start = time.monotonic()
    developer.python("import mypkg._core")
    with capsys.disabled():
        print(f"\n  rebuild on import after an edit of {what}: {time.monotonic() - start:.1f} s")
    return library(developer)


def library(developer: Developer) -> Path:
    """The one that an editable install loads."""
    (found,) = developer.package.glob("build/*/install/*/mypkg/*.so")
    return found


def test_what_did_not_change_is_not_compiled_again(developer: Developer) -> None:
    developer.python("import mypkg")
    built = {path: path.stat().st_mtime_ns for path in developer.package.glob("build/**/*.[oa]")}
    assert built
    (developer.package / "tests/notes.txt").write_text("nothing to compile")
    developer.python("import mypkg")
    assert {path: path.stat().st_mtime_ns for path in built} == built


def test_an_edited_kernel_is_rebuilt_on_import(developer: Developer, capsys: pytest.CaptureFixture[str]) -> None:
    source = developer.package / "kernels/kernels.cu"
    if not source.exists():
        pytest.skip("kernels in Rust have a test of their own")
    source.write_text(source.read_text() + '\nextern "C" __global__ void added_by_the_test() {}\n')
    assert b"added_by_the_test" in timed_rebuild(developer, capsys, "kernels.cu").read_bytes()


def test_edited_host_code_is_rebuilt_on_import(developer: Developer, capsys: pytest.CaptureFixture[str]) -> None:
    """A message of the host code changes with its source."""
    (source,) = developer.package.glob("host/src/ops/check.[rc]*")
    source.write_text(source.read_text().replace("is not C-contiguous", "is edited, and not C-contiguous"))
    timed_rebuild(developer, capsys, source.name)
    call = "import mypkg, numpy as n; a = n.ones((4, 4)); mypkg.dot(a.T, a.T)"
    shown = developer.python(f"try:\n  {call}\nexcept ValueError as error:\n  print(error)")
    assert "is edited, and not C-contiguous" in shown


def test_a_kernel_can_be_added(developer: Developer) -> None:
    recipe = edits(section((developer.package / "README.md").read_text(), "Add a kernel"))
    assert {Path(edit.path).parts[0] for edit in recipe} >= {"kernels", "host", "python", "tests"}
    for edit in recipe:
        edit.apply(developer.package)
    (test,) = [edit.path for edit in recipe if edit.how == "new file" and edit.path.startswith("tests/")]
    developer.types(f"{developer.activate} && python -m pytest {test}")
    # what the recipe adds is as tidy as the rest
    run("ruff", "check", developer.package, "--exclude", ".venv")
    run("ruff", "format", "--check", developer.package, "--exclude", ".venv")
    sources = [developer.package / edit.path for edit in recipe if re.search(r"\.(cu|[ch]pp|h)$", edit.path)]
    run("clang-format", "--dry-run", "-Werror", *sources)
    developer.types(f"{developer.activate} && mypy")
