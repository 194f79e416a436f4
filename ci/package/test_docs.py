"""The documentation: its functions are compiled, its Python sessions are run. `tests/docs.rs` types the console sessions."""

from __future__ import annotations

import re
import shutil
from pathlib import Path

import pytest
from environment import Environment
from generator import KERNELS, scaffold
from recipe import session
from shell import ROOT

DOCS = ROOT / "docs"
WRITTEN_BY_HAND = [page for page in sorted(DOCS.rglob("*.md")) if "\nWritten by " not in page.read_text()]
SESSIONS = [page for page in WRITTEN_BY_HAND if "\n>>> " in page.read_text()]
FENCE = re.compile(r"^```(?P<language>.*)\n(?P<code>(?:.*\n)*?)```$", re.MULTILINE)
INCLUDED = re.compile(r"^```\{literalinclude\} (\S+)$", re.MULTILINE)
MESSAGE = re.compile(r"^### `(.+)`$", re.MULTILINE)

# Functions that test_examples.py, test_bindings.py, test_sources.py and test_cuda_libraries.py compile.
COMPILED_ELSEWHERE = (
    *(ROOT / "examples", ROOT / "templates/base", ROOT / "templates/bridge"),
    *(DOCS / "library", DOCS / "fft/version.rs"),
)


def name(page: Path) -> str:
    return str(page.relative_to(DOCS))


def functions(language: str) -> list[Path]:
    """Every function in that language that a page shows, and what several share."""
    endings = {"cu": {".cu", ".cuh"}, "rust": {".rs"}}[language]
    shown = {(page.parent / path).resolve() for page in WRITTEN_BY_HAND for path in INCLUDED.findall(page.read_text())}
    elsewhere = [path for path in shown if any(path.is_relative_to(folder) for folder in COMPILED_ELSEWHERE)]
    return sorted(path for path in shown.difference(elsewhere) if path.suffix in endings)


@pytest.fixture(scope="module", params=KERNELS)
def environment(request: pytest.FixtureRequest, tmp_path_factory: pytest.TempPathFactory) -> Environment:
    """Python with a package of the functions that pages show, for the CPU alone, and libraries with adapters."""
    folder = tmp_path_factory.mktemp("docs")
    package = scaffold(folder / "mypkg", kernels=request.param)
    shutil.rmtree(package / "src")
    shutil.rmtree(package / "kernels")
    (package / "kernels").mkdir()
    classes = [file for file in functions("cu") if file.stem[0].isupper()]  # which Rust has none of
    for function in {*functions(request.param), *classes}:
        shutil.copy(function, package / "kernels")
    environment = Environment(folder / "python", "3.11")
    environment.install(
        f"--group={package / 'pyproject.toml'}:build", "--requirement", ROOT / "ci/adapters.txt", "dask[array]"
    )
    env = {"PATH": environment.path, "CUDA": "OFF"}
    environment.pip("install", "--no-build-isolation", "--no-deps", package, env=env)
    return environment


@pytest.mark.parametrize("page", SESSIONS, ids=name)
def test_sessions(page: Path, environment: Environment, tmp_path: Path) -> None:
    text = page.read_text()
    if "\n>>> import torch\n" in text and not list(environment.bin.parent.glob("lib/*/site-packages/torch")):
        pytest.skip("needs PyTorch, which CI without a GPU has not")
    shown = tmp_path / page.name
    shown.write_text(session(text))
    environment.python("-m", "doctest", "-o", "ELLIPSIS", shown, cwd=tmp_path, env={"CUVEC_DEVICE": "cpu"})


@pytest.mark.parametrize("page", WRITTEN_BY_HAND, ids=name)
def test_code_on_a_page_is_run_or_compiled(page: Path) -> None:
    """Code in other languages is included from files that a test compiles."""
    for block in FENCE.finditer(page.read_text()):
        language = block["language"]
        assert language in {"sh", "console", "python"} or language.startswith("{"), block[0]
        if language == "python":
            assert ">>> " in block["code"], block[0]


@pytest.mark.parametrize("message", MESSAGE.findall((DOCS / "errors.md").read_text()))
def test_messages_are_in_the_sources(message: str) -> None:
    folders = [
        ROOT / "generator",
        *(ROOT / "runtime" / name for name in ("cmake", "core/src", "cuvec", "python/src", "spec/src")),
    ]
    files = [file for folder in folders for file in folder.rglob("*") if file.suffix in {".cmake", ".h", ".py", ".rs"}]
    assert any(message in file.read_text() for file in files)


def test_scaling_takes_the_launch_that_was_measured() -> None:
    scaling = (ROOT / "examples/cluster/SCALING.md").read_text()
    (launch,) = re.findall(r"^takes ([\d.]+) µs however little it does", scaling, re.MULTILINE)
    measured = re.search(
        r"^\| a small call, asynchronous \| ([\d.]+) µs", (DOCS / "performance.md").read_text(), re.MULTILINE
    )
    assert launch == measured[1]
    assert f"launches * {launch}e-6" in scaling
