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


@pytest.fixture(scope="module")
def developer(package: Path, work: Path) -> Developer:
    somebody = Developer(Path(shutil.copytree(package, work / "developer" / "mypkg")))
    install = commands(section((package / "README.md").read_text(), "Develop"))
    assert "editable.rebuild=true" in install
    somebody.types(install)
    return somebody


def timed_rebuild(developer: Developer, capsys: pytest.CaptureFixture[str], what: str) -> bytes:
    """Imports the package, which rebuilds it; returns the module's bytes."""
    start = time.monotonic()
    module = developer.python("import mypkg._core; print(mypkg._core.__file__)").splitlines()[-1]
    with capsys.disabled():
        print(f"\n  rebuild on import after an edit of {what}: {time.monotonic() - start:.1f} s")
    return Path(module).read_bytes()


def test_what_did_not_change_is_not_compiled_again(developer: Developer) -> None:
    (library,) = developer.package.glob("build/*/cargo/release/lib_core.so")
    before = library.stat().st_mtime_ns
    (developer.package / "tests/notes.txt").write_text("nothing to compile")
    developer.python("import mypkg")
    assert library.stat().st_mtime_ns == before


def append(path: Path, code: str) -> None:
    path.write_text(path.read_text() + code)


def test_an_edited_kernel_is_rebuilt_on_import(developer: Developer, capsys: pytest.CaptureFixture[str]) -> None:
    append(developer.package / "kernels/kernels.cu", '\nextern "C" __global__ void added_by_the_test() {}\n')
    assert b"added_by_the_test" in timed_rebuild(developer, capsys, "kernels.cu")


@pytest.mark.parametrize("source", ["src/lib.rs", "host/src/lib.rs"])
def test_edited_rust_is_rebuilt_on_import(
    source: str, developer: Developer, capsys: pytest.CaptureFixture[str]
) -> None:
    mark = "added_to_" + re.sub(r"\W", "_", source)
    append(developer.package / source, f'\n#[used]\nstatic MARK: &str = "{mark}";\n')
    assert mark.encode() in timed_rebuild(developer, capsys, source)


def test_a_kernel_can_be_added(developer: Developer) -> None:
    recipe = edits(section((developer.package / "README.md").read_text(), "Add a kernel"))
    assert {Path(edit.path).suffix for edit in recipe} >= {".cu", ".rs", ".py", ".pyi"}
    for edit in recipe:
        edit.apply(developer.package)
    (test,) = [edit.path for edit in recipe if edit.how == "new file" and edit.path.startswith("tests/")]
    developer.types(f"{developer.activate} && python -m pytest {test}")
    # what the recipe adds is as tidy as the rest
    run("ruff", "check", developer.package, "--exclude", ".venv")
    run("ruff", "format", "--check", developer.package, "--exclude", ".venv")
    run("clang-format", "--dry-run", "-Werror", developer.package / "kernels/kernels.cu")
    developer.types(f"{developer.activate} && mypy")
