"""`--container devcontainer` and `--agents agents-md`: what a container and an agent do, done to the letter in a virtual environment."""

import json
import os
import re
import shutil
from pathlib import Path

import pytest
from environment import DEVELOPMENT, interpreter
from generator import EXECUTABLE, scaffold, unpack
from recipe import commands, section
from shell import ROOT, run

pytestmark = pytest.mark.night


@pytest.fixture(scope="module")
def package(folder: Path) -> Path:
    return scaffold(folder / "mypkg", container="devcontainer", agents="agents-md")


@pytest.fixture(scope="module")
def container(package: Path, tmp_path_factory: pytest.TempPathFactory) -> dict[str, str]:
    """The environment in a container that was made for the package."""
    programs = tmp_path_factory.mktemp("bin")
    (programs / "python3").symlink_to(interpreter("3.13"))
    (programs / "cuvec-new").symlink_to(EXECUTABLE)
    path = f"{programs}{os.pathsep}{os.environ['PATH']}"
    settings = json.loads((package / ".devcontainer.json").read_text())
    run("sh", "-euc", settings["postCreateCommand"], cwd=package, env={"PATH": path, **DEVELOPMENT})
    (changed,) = settings["remoteEnv"].items()
    path = changed[1].replace("${containerWorkspaceFolder}", str(package)).replace("${containerEnv:PATH}", path)
    return {changed[0]: path, **DEVELOPMENT}


def test_an_agent_builds_as_people_do(package: Path) -> None:
    """The container does, too: as `container` is made."""
    told = commands(section((package / "AGENTS.md").read_text(), "Set up, once"))
    page = commands((ROOT / "docs/how-to/edit-loop.md").read_text())
    assert page.replace(" && source", "\nsource") == told + "pytest\n"


def test_an_agent_adds_a_function(package: Path, container: dict[str, str]) -> None:
    page = (package / "AGENTS.md").read_text()
    assert "`cuvec-new add NAME 'SIGNATURE'`" in page
    run("cuvec-new", "add", "scale", "scale(x: inout float32(n), factor: float32)", cwd=package, env=container)
    told = commands(section(page, "After an edit"))
    said = run("bash", "-euo", "pipefail", "-c", told, cwd=package, env=container)
    assert re.search(r"^tests/test_scale\.py ", said, re.MULTILINE)


def test_commands_that_an_agent_is_told_exist(package: Path, container: dict[str, str]) -> None:
    page = (package / "AGENTS.md").read_text()
    told = (
        "python -m mypkg.doctor",
        "cuvec-new doctor .",
        "python -m mypkg.check --sanitize",
        "pre-commit run --all-files",
    )
    assert [command for command in told if f"`{command}`" not in page] == []
    run("python", "-m", "mypkg.doctor", cwd=package, env=container)
    run("cuvec-new", "doctor", ".", cwd=package, env=container)
    assert "--sanitize" in run("python", "-m", "mypkg.check", "--help", cwd=package, env=container)
    assert shutil.which("pre-commit", path=container["PATH"])


def test_paths_that_an_agent_is_told_exist(package: Path) -> None:
    page = (package / "AGENTS.md").read_text()
    paths = re.findall(r"`([\w./-]+(?:/|\.lock|\.md))`", page)
    assert len(paths) >= 6
    assert not [path for path in paths if not (package / path).exists()]
    assert "## Declarations" in (unpack(package) / "README.md").read_text()
