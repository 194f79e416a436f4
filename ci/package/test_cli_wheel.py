"""`cuvec-new` from its own wheel: what people get who have no Rust."""

import json
import shutil
import tomllib
from pathlib import Path

import pytest
from environment import Environment
from files import members, metadata
from generator import EXECUTABLE, scaffold
from shell import ROOT, run
from workflow import jobs, runs

pytestmark = pytest.mark.night


@pytest.fixture(scope="module")
def cli_wheel(folder: Path) -> Path:
    """Not optimized, and so from what `ci/test` has compiled already; a release differs in nothing else."""
    run("maturin", "build", "--profile", "dev", "--out", folder, cwd=ROOT)
    (wheel,) = folder.iterdir()
    return wheel


def toml(file: str) -> dict:
    return tomllib.loads((ROOT / file).read_text())


def test_its_metadata_is_right(cli_wheel: Path) -> None:
    run("twine", "check", "--strict", cli_wheel)
    # W007: there is no library in it, and need be none.
    run("check-wheel-contents", "--ignore=W007", cli_wheel)
    assert "-py3-none-" in cli_wheel.name, "one wheel for all Pythons"
    cargo = toml("Cargo.toml")["package"]
    said = metadata(cli_wheel)
    assert said["Name"] == cargo["name"]
    assert said["Version"] == cargo["version"]
    assert said["License-Expression"] == cargo["license"]


def test_what_is_compiled_into_it_is_listed(cli_wheel: Path, tmp_path: Path) -> None:
    """A release has that list as a file of its own."""
    files = tmp_path / "dist"
    files.mkdir()
    shutil.copy(cli_wheel, files)
    (command,) = [line for line in runs(jobs(ROOT, "release")["attach"]) if "sboms" in line]
    run("bash", "-ec", command, cwd=tmp_path)
    (listed,) = files.glob("*.json")
    parts = {(part["name"], part["version"]) for part in json.loads(listed.read_text())["components"]}
    locked = {(crate["name"], crate["version"]) for crate in toml("Cargo.lock")["package"]}
    assert parts <= locked
    assert {name for name, _ in parts} >= set(toml("Cargo.toml")["dependencies"])


@pytest.mark.parametrize("version", ["3.11", "3.13"])
def test_it_makes_the_same_package_in_a_fresh_environment(cli_wheel: Path, tmp_path: Path, version: str) -> None:
    environment = Environment(tmp_path / "environment", version)
    environment.pip("install", "--no-index", cli_wheel)
    identity = ("--author", "Ada Lovelace", "--email", "ada@example.org", "--no-git")
    run(environment.bin / "cuvec-new", "mypkg", "--output", tmp_path / "made", *identity)
    wanted = scaffold(tmp_path / "wanted")
    run("diff", "--recursive", wanted, tmp_path / "made")


def test_uvx_and_pipx_run_it(cli_wheel: Path, tmp_path: Path) -> None:
    version = run(EXECUTABLE, "--version")
    assert version in run("uvx", "--no-index", "--from", cli_wheel, "cuvec-new", "--version")
    homes = {"PIPX_HOME": str(tmp_path / "home"), "PIPX_BIN_DIR": str(tmp_path / "bin")}
    assert version in run("pipx", "run", "--spec", cli_wheel, "cuvec-new", "--version", env=homes)


def test_the_sdist_holds_every_template(tmp_path: Path) -> None:
    run("maturin", "sdist", "--out", tmp_path, cwd=ROOT)
    (sdist,) = tmp_path.iterdir()
    run("twine", "check", "--strict", sdist)
    found = members(sdist)
    tracked = run("git", "ls-files", "templates", "generator", "Cargo.lock", "LICENSE", cwd=ROOT).splitlines()
    missing = [path for path in tracked if path not in found]
    assert tracked
    assert not missing, f"not in {sdist.name}: {missing}"
