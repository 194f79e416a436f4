"""Packages, wheels and environments that the tests share: each is made once a combination, when first asked for."""

from __future__ import annotations

import shutil
from collections.abc import Callable
from pathlib import Path

import pytest
from developer import Developer
from environment import Environment
from generator import Combination, combinations, scaffold
from recipe import follow
from shell import ROOT, run
from xdist.remote import Producer
from xdist.scheduler import LoadScopeScheduling


class ByPackage(LoadScopeScheduling):
    """Of several workers, one tests a combination, or a file, from beginning to end: they share packages and wheels."""

    def _split_scope(self, nodeid: str) -> str:
        file, _, parameters = nodeid.partition("[")
        named = [str(combination) for combination in combinations() if str(combination) in parameters]
        return named[0] if named else file.partition("::")[0]


def pytest_xdist_make_scheduler(config: pytest.Config, log: Producer) -> ByPackage:
    return ByPackage(config, log)


def pytest_terminal_summary(terminalreporter: pytest.TerminalReporter) -> None:
    """Prints the figures that tests have shown."""
    reports = [report for kind in ("passed", "failed") for report in terminalreporter.getreports(kind)]
    figures = [
        text for report in reports if report.when == "call" for name, text in report.user_properties if name == "shown"
    ]
    if figures:
        terminalreporter.section("figures")
    for figure in figures:
        terminalreporter.write_line(figure)


@pytest.fixture
def show(record_property: Callable[[str, object], None]) -> Callable[[str], None]:
    """Prints a figure at the end of the run."""
    return lambda figure: record_property("shown", figure)


@pytest.fixture(scope="session", params=combinations(), ids=str)
def combination(request: pytest.FixtureRequest) -> Combination:
    """Bridge and kernels of `package`. Everything of one combination is tested before the next."""
    return request.param


@pytest.fixture(scope="session")
def work(combination: Combination, tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A folder with a name that builds may not stumble over."""
    folder = tmp_path_factory.mktemp(str(combination)) / "my dir ü"
    folder.mkdir()
    return folder


@pytest.fixture(scope="session")
def package(work: Path, combination: Combination) -> Path:
    """A fresh package. Nobody builds in it: see `copy`."""
    return scaffold(work / "mypkg", **combination._asdict())


@pytest.fixture
def copy(package: Path, tmp_path: Path) -> Path:
    """A copy of `package` that a test may change."""
    return Path(shutil.copytree(package, tmp_path / "mypkg"))


@pytest.fixture(scope="session")
def built_on_311(work: Path) -> Environment:
    """Python 3.11 with nothing in it, from which pip builds with isolation."""
    return Environment(work / "build-3.11", "3.11")


@pytest.fixture(scope="session")
def wheel(work: Path, package: Path, built_on_311: Environment) -> Path:
    """The wheel that `pip wheel` makes of the source tree, with isolation, on Python 3.11."""
    return built_on_311.wheel(package, work / "wheel")


@pytest.fixture(scope="session")
def repaired(work: Path, wheel: Path) -> Path:
    """The wheel that auditwheel makes of it, as cibuildwheel does for Linux."""
    run("auditwheel", "repair", "--wheel-dir", work / "repaired", wheel)
    (repaired,) = (work / "repaired").iterdir()
    return repaired


@pytest.fixture(scope="session")
def sdist(work: Path, package: Path, built_on_311: Environment) -> Path:
    built_on_311.install("build")
    return built_on_311.sdist(package, work / "sdist")


def needs(package: Path) -> tuple[str | Path, ...]:
    """Arguments of pip for what the owner's tests need, and those of the runtime."""
    tests = package / "runtime/tests/requirements.txt"
    return f"--group={package / 'pyproject.toml'}:test", "--requirement", tests


@pytest.fixture(scope="session")
def on_311(work: Path, package: Path, repaired: Path) -> Environment:
    """Python 3.11 with the repaired wheel, what its tests need, and libraries to exchange arrays with."""
    environment = Environment(work / "python-3.11", "3.11")
    environment.install(*needs(package), "--requirement", ROOT / "ci/peers.txt")
    environment.pip("install", "--quiet", repaired)
    return environment


@pytest.fixture(scope="session")
def on_313(work: Path, package: Path, repaired: Path) -> Environment:
    """Python 3.13 with the same wheel, where it is for later versions too; else with what `pip install ./mypkg` builds."""
    environment = Environment(work / "python-3.13", "3.13")
    environment.install(*needs(package))
    environment.pip("install", package if "-cp311-cp311-" in repaired.name else repaired)
    return environment


@pytest.fixture(scope="session")
def build_tools(work: Path, package: Path) -> Environment:
    """Python 3.11 with the build requirements in it, for builds without isolation: they take seconds less."""
    environment = Environment(work / "build-tools", "3.11")
    environment.install(f"--group={package / 'pyproject.toml'}:build", *needs(package))
    return environment


@pytest.fixture(scope="session")
def developer(combination: Combination, package: Path, work: Path) -> Developer:
    return Developer(Path(shutil.copytree(package, work / "developer" / "mypkg")), combination)


@pytest.fixture(scope="session")
def extended(developer: Developer) -> Developer:
    """`developer`, after the recipe "Add a kernel" was followed."""
    follow(developer.package)
    return developer
