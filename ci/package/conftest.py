"""Packages, wheels and environments that the tests share: each is made once a combination, when first asked for.

proofs.py says of which combinations a test is made; clock.py, where the time went.
"""

from __future__ import annotations

import os
import shutil
import tomllib
from collections.abc import Callable, Generator
from pathlib import Path

import pytest
from clock import Spent, earlier_steps, of_the_cache, table, totals
from developer import ARCHITECTURE, DEVELOPMENT, QUICK, Developer
from environment import Environment
from generator import Combination, combinations, scaffold
from proofs import (
    builds_with_isolation,
    compiles_for_the_gpu,
    is_for_every_gpu,
    is_proved_of,
    meets_every_library,
    representative,
    sample_without_a_library,
    turn,
)
from recipe import follow
from rustc import ASSEMBLER, COMPILER
from shell import ROOT, run
from xdist.remote import Producer
from xdist.scheduler import LoadScopeScheduling


def scope(nodeid: str) -> str:
    """The combination that a test is about, or else its file."""
    file, _, parameters = nodeid.partition("[")
    named = [str(combination) for combination in combinations() if str(combination) in parameters]
    return named[0] if named else file.partition("::")[0]


STARTED = pytest.StashKey[Spent]()


class ByPackage(LoadScopeScheduling):
    """Of several workers, one tests a combination, or a file, from beginning to end: they share packages and wheels."""

    def _split_scope(self, nodeid: str) -> str:
        return scope(nodeid)


def pytest_configure(config: pytest.Config) -> None:
    config.stash[STARTED] = Spent.so_far()


def pytest_addoption(parser: pytest.Parser) -> None:
    parser.addoption("--shard", default="1/1", metavar="N/M", help="the Nth of M parts, for as many machines")


def pytest_xdist_make_scheduler(config: pytest.Config, log: Producer) -> ByPackage:
    return ByPackage(config, log)


@pytest.hookimpl(trylast=True)
def pytest_collection_modifyitems(config: pytest.Config, items: list[pytest.Item]) -> None:
    """Leaves out what is proved of other packages or is of another shard; what takes longest comes first."""
    kept, left_out = [], []
    for item in items:
        combination = item.callspec.params.get("combination") if hasattr(item, "callspec") else None
        proved = not isinstance(combination, Combination) or is_proved_of(
            item.path.name, item.originalname, combination
        )
        (kept if proved else left_out).append(item)
    kept.sort(key=lambda item: turn(scope(item.nodeid)))
    part, parts = map(int, config.option.shard.split("/"))
    scopes = list(dict.fromkeys(scope(item.nodeid) for item in kept))[part - 1 :: parts]
    left_out += [item for item in kept if scope(item.nodeid) not in scopes]
    config.hook.pytest_deselected(items=left_out)
    items[:] = [item for item in kept if scope(item.nodeid) in scopes]


@pytest.hookimpl(wrapper=True)
def pytest_runtest_protocol(item: pytest.Item) -> Generator[None, object, object]:
    item.stash[STARTED] = Spent.so_far()
    return (yield)


@pytest.hookimpl(wrapper=True)
def pytest_runtest_makereport(
    item: pytest.Item, call: pytest.CallInfo
) -> Generator[None, pytest.TestReport, pytest.TestReport]:
    report = yield
    if call.when == "teardown":
        report.user_properties.append(("spent", tuple(Spent.so_far().since(item.stash[STARTED]))))
    return report


def pytest_terminal_summary(terminalreporter: pytest.TerminalReporter) -> None:
    """Prints the figures that tests have shown, and where the time went."""
    reports = [report for kind in ("passed", "failed", "") for report in terminalreporter.getreports(kind)]
    figures = [text for report in reports if report.when == "call" for text in properties(report, "shown")]
    if figures:
        terminalreporter.section("figures")
    for figure in figures:
        terminalreporter.write_line(figure)

    spent = [(report.nodeid, Spent(*seconds)) for report in reports for seconds in properties(report, "spent")]
    if not spent:
        return
    cache = of_the_cache()
    all_of_it = Spent.so_far().since(terminalreporter.config.stash[STARTED])
    packages = Spent(all_of_it.wall, all_of_it.cpu + sum(seconds.cpu for _, seconds in cache))
    tables = {
        "step": [*earlier_steps(), ("generated packages", packages)],
        "package, or file of tests about none": totals((scope(node), seconds) for node, seconds in spent),
        "file of tests, with the fixtures that it is the first to ask for": [
            *totals((node.partition("::")[0], seconds) for node, seconds in spent),
            *cache,
        ],
    }
    terminalreporter.section("where the time went: minutes")
    for title, rows in tables.items():
        for line in [*table(title, rows), ""]:
            terminalreporter.write_line(line)


def properties(report: pytest.TestReport, name: str) -> list:
    return [value for key, value in report.user_properties if key == name]


@pytest.fixture
def show(record_property: Callable[[str, object], None]) -> Callable[[str], None]:
    """Prints a figure at the end of the run."""
    return lambda figure: record_property("shown", figure)


@pytest.fixture(scope="session", params=combinations(), ids=str)
def combination(request: pytest.FixtureRequest) -> Combination:
    """Bridge and kernels of `package`. Everything of one combination is tested before the next."""
    return request.param


@pytest.fixture(scope="session")
def together(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A folder that is the same for all packages, whichever worker tests them."""
    folder = tmp_path_factory.getbasetemp()
    return folder.parent if "PYTEST_XDIST_WORKER" in os.environ else folder


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
def gpus(combination: Combination) -> dict[str, str]:
    """What the wheel is compiled for. Two builds that are to be the same to the byte take nothing of nvcc from the cache."""
    if is_for_every_gpu(combination):
        return {}
    return {"CUDAARCHS": ARCHITECTURE} if sample_without_a_library(combination) else DEVELOPMENT


@pytest.fixture(scope="session")
def wheel(
    work: Path,
    package: Path,
    combination: Combination,
    gpus: dict[str, str],
    built_on_311: Environment,
    build_tools: Environment,
) -> Path:
    """The wheel that `pip wheel` makes of the source tree on Python 3.11; with isolation, as its users do, if proofs.py
    says so."""
    if builds_with_isolation(combination):
        return built_on_311.wheel(package, work / "wheel")
    options = ("--no-build-isolation", "--check-build-dependencies")
    env = {"PATH": build_tools.path, "SKBUILD_BUILD_DIR": str(work / "wheel-build"), **gpus}
    return build_tools.wheel(package, work / "wheel", *options, env=env)


@pytest.fixture(scope="session")
def repaired(work: Path, wheel: Path) -> Path:
    """The wheel that auditwheel makes of it, as cibuildwheel does for Linux."""
    run("auditwheel", "repair", "--wheel-dir", work / "repaired", wheel)
    (repaired,) = (work / "repaired").iterdir()
    return repaired


@pytest.fixture(scope="session")
def sdist(work: Path, package: Path, build_tools: Environment) -> Path:
    build_tools.install("build")
    return build_tools.build("sdist", package, work / "sdist")


def needs(package: Path) -> tuple[str | Path, ...]:
    """Arguments of pip for what the owner's tests need, and those of the runtime."""
    tests = package / "runtime/tests/requirements.txt"
    return f"--group={package / 'pyproject.toml'}:test", "--requirement", tests


@pytest.fixture(scope="session")
def on_311(work: Path, package: Path, repaired: Path) -> Environment:
    """Python 3.11 with the repaired wheel, and what its tests need."""
    environment = Environment(work / "python-3.11", "3.11")
    environment.install(*needs(package), repaired)
    return environment


@pytest.fixture(scope="session")
def runtime_wheel(work: Path, package: Path, combination: Combination, build_tools: Environment) -> Path:
    """The package made of the functions that the runtime's tests call, with the settings of a release. Those functions are
    the same for all bridges: nvcc compiles them where proofs.py says so, and in the others Rust is compiled in a hurry."""
    release = tomllib.loads((package / "pyproject.toml").read_text())["tool"]["cibuildwheel"]["config-settings"]
    cuda = "ON" if compiles_for_the_gpu(combination) else "OFF"
    given = {**release, "cmake.define.KERNELS": "runtime/tests/kernels", "cmake.define.CUDA": cuda}
    profile = DEVELOPMENT if representative(combination) else QUICK
    env = {
        "PATH": build_tools.path,
        "KERNELS_RUSTC": COMPILER,
        "SKBUILD_BUILD_DIR": str(work / "runtime-build"),
        **profile,
    }
    build_tools.install("build")
    return build_tools.build("wheel", package, work / "runtime-wheel", given, env=env)


@pytest.fixture(scope="session")
def runtime_on_311(work: Path, package: Path, combination: Combination, runtime_wheel: Path) -> Environment:
    """Python 3.11 with that, what its tests need, and libraries to exchange arrays with."""
    environment = Environment(work / "runtime-3.11", "3.11")
    others = ["peers", "adapters"] if meets_every_library(combination) else ["peers"]
    needed = [package / "runtime/tests/requirements.txt", *(ROOT / f"ci/{name}.txt" for name in others)]
    environment.install(*(word for file in needed for word in ("--requirement", file)), runtime_wheel)
    return environment


@pytest.fixture(scope="session")
def on_313(work: Path, package: Path, repaired: Path) -> Environment:
    """Python 3.13 with the same wheel, which must be one for later versions too."""
    environment = Environment(work / "python-3.13", "3.13")
    environment.install(*needs(package), repaired)
    return environment


@pytest.fixture(scope="session")
def build_tools(work: Path, package: Path, combination: Combination) -> Environment:
    """Python 3.11 with the build requirements in it, for builds without isolation: they take seconds less."""
    environment = Environment(work / "build-tools", "3.11")
    environment.install(f"--group={package / 'pyproject.toml'}:build", *needs(package))
    if combination.kernels == "rust":
        environment.install("--no-deps", ASSEMBLER)
    return environment


@pytest.fixture(scope="session")
def mypy(tmp_path_factory: pytest.TempPathFactory) -> Callable[[Path, Environment], str]:
    """Checks a package with what is installed in an environment. NumPy's stubs are read once for all packages."""
    cache = tmp_path_factory.mktemp("mypy")
    command = ("mypy", f"--cache-dir={cache}", "--python-executable")
    return lambda package, environment: run(*command, environment.bin / "python", cwd=package)


@pytest.fixture(scope="session")
def developer(combination: Combination, package: Path, work: Path) -> Developer:
    return Developer(Path(shutil.copytree(package, work / "developer" / "mypkg")), combination)


@pytest.fixture(scope="session")
def extended(developer: Developer) -> Developer:
    """`developer`, after the recipe "Add a kernel" was followed."""
    follow(developer.package)
    return developer
