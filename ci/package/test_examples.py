"""The programs in examples/: a folder there is built, tested, and does what its README says."""

from __future__ import annotations

import json
import re
import shutil
from pathlib import Path

import pytest
from developer import DEVELOPMENT
from environment import Environment
from generator import executable
from recipe import commands, session
from rustc import ASSEMBLER, COMPILER
from shell import ROOT, run

GALLERY = ROOT / "examples/README.md"
EXAMPLES = sorted(record.parent for record in GALLERY.parent.glob("*/.cuvec-new.toml"))
PICTURE = 150_000  # bytes at most


@pytest.fixture(scope="module", params=EXAMPLES, ids=lambda folder: folder.name)
def example(request: pytest.FixtureRequest, tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A copy of it with its runtime."""
    folder = tmp_path_factory.mktemp("examples") / request.param.name
    shutil.copytree(request.param, folder, ignore=shutil.ignore_patterns("runtime", "build"))
    shown = run(executable(), "update", folder, "--dry-run")
    assert re.fullmatch(r".*\nadded:\n  runtime/ \(\d+ files\)\nnothing was written\n", shown), "ci/examples updates it"
    run(executable(), "update", folder)
    return folder


@pytest.fixture(scope="module")
def installed(example: Path) -> Environment:
    """Python 3.11 with it, built for one GPU and the CPU, with what its tests need."""
    environment = Environment(example.parent / "venv", "3.11")
    groups = (f"--group={example / 'pyproject.toml'}:{group}" for group in ("build", "test", "lint"))
    environment.install(*groups, *([ASSEMBLER] if list(example.glob("kernels/*.rs")) else []))
    env = {"PATH": environment.path, "KERNELS_RUSTC": COMPILER, **DEVELOPMENT}
    strict = ("--no-build-isolation", "-Ccmake.define.STRICT=ON")
    wheel = environment.wheel(example, example.parent / "wheel", *strict, env=env)
    environment.install(wheel)
    return environment


def test_its_tests_pass(example: Path, installed: Environment) -> None:
    counts = installed.pytest(example, tests=["tests"])
    assert set(counts) == {"passed"}
    assert counts["passed"] > 10


def test_its_ptx_is_that_of_its_kernels(example: Path, installed: Environment) -> None:
    """Or the build has made it anew."""
    assert installed
    for image in example.glob("kernels/*.ptx"):
        assert image.read_bytes() == (ROOT / "examples" / example.name / "kernels" / image.name).read_bytes()


def test_its_readme_tells_the_truth(example: Path, installed: Environment, tmp_path: Path) -> None:
    readme = (example / "README.md").read_text()
    (tmp_path / "README.md").write_text(session(readme))
    assert ">>> " in readme
    installed.python("-m", "doctest", "-o", "ELLIPSIS", tmp_path / "README.md", env={"CUVEC_DEVICE": "cpu"})
    restored, installs, runs = commands(readme).splitlines()[:3]
    assert restored.split()[:2] == ["../../ci/examples", example.name]
    assert installs.split()[:2] == ["pip", "install"]
    assert runs.split()[:3] == ["python", "-m", example.name]
    assert "picture.png" in readme


def test_its_command_draws_a_picture(example: Path, installed: Environment) -> None:
    picture = example.parent / "small.png"
    shown = installed.python("-m", example.name, "--size", "48", "--device", "cpu", "--output", picture)
    assert "device: cpu" in shown
    assert picture.stat().st_size > 1000


def test_its_figures_can_be_taken(example: Path, installed: Environment) -> None:
    figures = ("bench", example.name, "--size", "33", "--seconds", "0.01", "--output", example.parent)
    run(ROOT / "ci/examples", *figures, env={"PYTHON": str(installed.bin / "python")})
    assert json.loads((example.parent / "cpu.json").read_text())["figures"]


def test_types(example: Path, installed: Environment) -> None:
    run("mypy", "--cache-dir=/dev/null", "--python-executable", installed.bin / "python", cwd=example)


def test_its_picture_is_in_the_gallery(example: Path) -> None:
    assert f"({example.name}/README.md)" in GALLERY.read_text()
    assert f"({example.name}/picture.png)" in GALLERY.read_text()
    assert 1000 < (example / "picture.png").stat().st_size < PICTURE
