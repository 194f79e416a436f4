"""Packages, wheels and environments that tests share: each is made once for each kernel language, when first asked for."""

import shutil
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path

import pytest
from developer import Developer
from environment import Environment, groups
from files import copied
from functions_alone import Library
from generator import BRIDGES, KERNELS, scaffold
from shell import ROOT, run
from xdist.remote import Producer
from xdist.scheduler import LoadScopeScheduling

# Files of tests that are about a package with kernels in one language; the first group installs its wheel.
WHEEL = ("test_wheel", "test_readme", "test_documentation", "test_doctor", "test_benchmarks")
BY_LANGUAGE = (*WHEEL, "test_runtime", "test_add", "test_recipes", "test_changed", "test_failures")
# Those that take longest begin. The core, which the others need, is compiled by the first; the next four need none.
LONG = (
    f"{WHEEL[0]} {KERNELS[0]}",
    *("test_declarations", "test_lint", "test_cibuildwheel", "test_publish"),
    *BY_LANGUAGE,
    "test_examples",
    "test_bindings",
    "test_runtime_routes",
    "test_ptx",
    "test_update",
    "test_first_steps",
    "test_declarations_in_rust",
)


def scope(nodeid: str) -> str:
    """Tests of the same scope run one after the other, on one worker: they share what was built."""
    path, _, parameters = nodeid.partition("[")
    file = Path(path.partition("::")[0]).stem
    of = {*KERNELS} if file in BY_LANGUAGE else {*BRIDGES} if file == "test_bindings" else set()
    named = sorted(of & {*parameters.rstrip("]").split("-")})
    return " ".join([WHEEL[0] if file in WHEEL else file, *named])


class ByScope(LoadScopeScheduling):
    def _split_scope(self, nodeid: str) -> str:
        return scope(nodeid)


def pytest_xdist_make_scheduler(config: pytest.Config, log: Producer) -> ByScope:
    return ByScope(config, log)


def pytest_collection_modifyitems(items: list[pytest.Item]) -> None:
    order = {name: turn for turn, name in enumerate(LONG)}
    scopes = {item: scope(item.nodeid) for item in items}

    def turn(scope: str) -> int:
        return order.get(scope, order.get(scope.split()[0], len(LONG)))

    items.sort(key=lambda item: (turn(scopes[item]), scopes[item]))


def pytest_terminal_summary(terminalreporter: pytest.TerminalReporter) -> None:
    """Prints what tests have measured and counted."""
    reports = [report for kind in ("passed", "failed", "") for report in terminalreporter.getreports(kind)]
    shown = [
        text for report in reports if report.when == "call" for key, text in report.user_properties if key == "shown"
    ]
    if shown:
        terminalreporter.section("measured")
    for text in shown:
        terminalreporter.write_line(text)


@pytest.fixture
def show(record_property: Callable[[str, object], None]) -> Callable[[str], None]:
    """Prints something at the end of the run."""
    return lambda text: record_property("shown", text)


@contextmanager
def removed_if_passed(folder: Path, request: pytest.FixtureRequest) -> Iterator[Path]:
    """Keeps the folder if a test fails meanwhile: all that the tests make would fill a disk."""
    failed = request.session.testsfailed
    yield folder
    if request.session.testsfailed == failed:
        shutil.rmtree(folder)


@pytest.fixture(scope="module")
def folder(request: pytest.FixtureRequest, tmp_path_factory: pytest.TempPathFactory) -> Iterator[Path]:
    """A folder for what the tests of a file share."""
    with removed_if_passed(tmp_path_factory.mktemp(request.module.__name__), request) as folder:
        yield folder


@pytest.fixture(scope="session", params=KERNELS)
def kernels(request: pytest.FixtureRequest) -> str:
    """The kernel language of `package`."""
    return request.param


@pytest.fixture
def one_language(kernels: str) -> None:
    """For tests of files that are the same whatever the kernel language."""
    if kernels != KERNELS[0]:
        pytest.skip("the same files")


@pytest.fixture(scope="session")
def work(kernels: str, request: pytest.FixtureRequest, tmp_path_factory: pytest.TempPathFactory) -> Iterator[Path]:
    """A folder with a name that builds may not stumble over."""
    with removed_if_passed(tmp_path_factory.mktemp(kernels), request) as folder:
        named = folder / "my dir ü"
        named.mkdir()
        yield named


@pytest.fixture(scope="session")
def package(work: Path, kernels: str) -> Path:
    """A fresh package. Builds add `build/` to it; for anything else see `copy`."""
    return scaffold(work / "mypkg", kernels=kernels)


@pytest.fixture
def copy(package: Path, tmp_path: Path) -> Path:
    """A copy of `package` that a test may change, as it was before the first build."""
    return copied(package, tmp_path / "mypkg")


@pytest.fixture(scope="session")
def build_tools(work: Path, package: Path) -> Environment:
    """Python 3.11 with the build requirements in it, for builds without isolation: they take seconds less."""
    return Environment(work / "build-tools", "3.11", *groups(package, "build"), *needs(package), "build")


@pytest.fixture(scope="session")
def wheel(work: Path, package: Path) -> Path:
    """The wheel that `pip wheel` makes of the source tree on Python 3.11, with isolation, as its users do, for all GPUs."""
    return Environment(work / "build-3.11", "3.11").wheel(package, work / "wheel")


@pytest.fixture(scope="session")
def repaired(work: Path, wheel: Path) -> Path:
    """The wheel that auditwheel makes of it, as cibuildwheel does for Linux."""
    run("auditwheel", "repair", "--wheel-dir", work / "repaired", wheel)
    (repaired,) = (work / "repaired").iterdir()
    return repaired


@pytest.fixture(scope="session")
def sdist(work: Path, package: Path, build_tools: Environment) -> Path:
    return build_tools.build("sdist", package, work / "sdist")


def needs(package: Path) -> tuple[str | Path, ...]:
    """Arguments of pip for what the owner's tests need, and the conformance tests."""
    return *groups(package, "test"), "--requirement", ROOT / "tests/conformance/requirements.txt"


@pytest.fixture(scope="session")
def on_311(work: Path, package: Path, repaired: Path) -> Environment:
    """Python 3.11 with the repaired wheel, and what its tests need."""
    return Environment(work / "python-3.11", "3.11", *needs(package), repaired)


@pytest.fixture(scope="session")
def on_313(work: Path, package: Path, repaired: Path) -> Environment:
    """Python 3.13 with the same wheel, which must be one for later versions too."""
    return Environment(work / "python-3.13", "3.13", *needs(package), repaired)


@pytest.fixture(scope="session")
def nvcc_tools(tmp_path_factory: pytest.TempPathFactory) -> Environment:
    """nvcc, CMake and Ninja, for builds of functions alone."""
    return Environment(
        tmp_path_factory.mktemp("tools") / "venv", "3.11", "cmake>=3.27", "ninja", "cuda-toolkit[nvcc,cccl]==13.0.*"
    )


@pytest.fixture
def library(nvcc_tools: Environment, tmp_path: Path) -> Library:
    """Functions alone, of which there are none yet."""
    return Library(nvcc_tools, tmp_path)


@pytest.fixture(scope="session")
def mypy(tmp_path_factory: pytest.TempPathFactory) -> Callable[..., str]:
    """Checks a package, or files, with what is installed in an environment. NumPy's stubs are read once for all packages."""
    cache = tmp_path_factory.mktemp("mypy")
    command = ("mypy", f"--cache-dir={cache}", "--python-executable")
    return lambda folder, environment, *files, ok=True: run(
        *command, environment.bin / "python", *files, cwd=folder, ok=ok
    )


@pytest.fixture(scope="session")
def developer(package: Path, kernels: str, work: Path) -> Developer:
    return Developer(copied(package, work / "developer" / "mypkg"), to_the_letter=kernels == KERNELS[0])
