"""The conformance tests of the runtime pass without a GPU: on functions in CUDA C++, and on those in Rust beside what only CUDA C++
has, on two Pythons."""

import json
import os
import shutil
import tomllib
from collections.abc import Callable
from pathlib import Path
from urllib.parse import quote

import pytest
from cyclonedx.schema import SchemaVersion
from cyclonedx.validation.json import JsonStrictValidator
from environment import DEVELOPMENT, Environment, groups
from files import contents
from generator import KERNELS, scaffold
from shell import ROOT

Show = Callable[[str], None]
TESTS = ROOT / "tests/conformance"
# DEBUG finds no index out of range but in its own test. What nvcc makes of the functions is for the night.
SETTINGS = {
    "cu": {"DEBUG": "OFF", "CUDA": "OFF"},
    "both": {"DEBUG": "ON", "CUDA": "OFF"},
    "gpu": {"DEBUG": "OFF", "CUDA": "ON"},
}


def conformance(environment: Environment, package: Path, what: str, show: Show, *folders: str, **env: str) -> None:
    """Those in `folders`."""
    tests = [TESTS / folder for folder in folders]
    result = environment.pytest(package, tests=tests, config=TESTS / "pytest.toml", CUVEC_PACKAGE="mypkg", **env)
    show(f"conformance tests, {what}: {result}")
    assert set(result) <= {"passed", "skipped"}
    assert result["passed"] >= 1500


def installed(folder: Path, version: str, wheel: Path, *libraries: str) -> Environment:
    """A Python with a wheel, what its tests need, and libraries to exchange arrays with."""
    environment = Environment(folder, version)
    needed = [TESTS / "requirements.txt", *(ROOT / f"ci/{name}.txt" for name in libraries)]
    environment.install(*(word for file in needed for word in ("--requirement", file)), wheel)
    return environment


CRATE = shutil.ignore_patterns("Cargo.*")  # it finds the runtime by its own place


@pytest.fixture(
    scope="module", params=[pytest.param(it, marks=pytest.mark.night if it == "gpu" else ()) for it in SETTINGS]
)
def functions(request: pytest.FixtureRequest) -> str:
    """Which functions a wheel has."""
    return request.param


@pytest.fixture(scope="module")
def work(functions: str, folder: Path) -> Path:
    return folder / functions


@pytest.fixture(scope="module")
def package(work: Path, functions: str) -> Path:
    package = scaffold(work / "mypkg", kernels=KERNELS[0])
    if functions == "both":
        shutil.rmtree(package / "src")
        both = Path(shutil.copytree(TESTS / "kernels/rust", work / "both", ignore=CRATE))
        for file in (TESTS / "kernels/cu").iterdir():
            if not (both / f"{file.stem}.rs").exists():
                shutil.copy(file, both)
    return package


@pytest.fixture(scope="module")
def runtime_wheel(work: Path, package: Path, functions: str) -> Path:
    """The package made of the functions that the conformance tests call, with the settings of a release."""
    tools = Environment(work / "build-tools", "3.11", *groups(package, "build"), "build")
    release = tomllib.loads((package / "pyproject.toml").read_text())["tool"]["cibuildwheel"]["config-settings"]
    kernels = work / "both" if functions == "both" else TESTS / "kernels/cu"
    given = {"KERNELS": str(kernels), **SETTINGS[functions]}
    given = {**release, **{f"cmake.define.{name}": value for name, value in given.items()}}
    return tools.build("wheel", package, work / "wheel", given, env={"PATH": tools.path, **DEVELOPMENT})


@pytest.fixture(scope="module")
def environment(work: Path, functions: str, runtime_wheel: Path) -> Environment:
    """One Python for each wheel: `_functions` knows nothing of Python, and `_core` is the same in both."""
    version = "3.13" if functions == "both" else "3.11"
    return installed(work / f"runtime-{functions}", version, runtime_wheel, "peers", "adapters")


def test_conformance(functions: str, package: Path, environment: Environment, show: Show) -> None:
    """All tests of functions in both languages; of those in one, what the language, or nvcc, may change."""
    every = {path.parent.name for path in TESTS.glob("*/test_*.py")}
    folders = every if functions == "both" else {"calls", "package"}
    conformance(environment, package, functions, show, *sorted(folders), DEBUG=SETTINGS[functions]["DEBUG"])


def test_the_core_is_the_same_in_all_wheels(runtime_wheel: Path) -> None:
    core = contents(runtime_wheel)["mypkg/cuvec/_core.abi3.so"]
    stored = (path.read_bytes() for path in Path(os.environ["CUVEC_CACHE"]).glob("core-*/_core.abi3.so"))
    assert core in stored


def test_cuda_is_demanded(environment: Environment) -> None:
    """Without a GPU the tests fail under CUVEC_DEVICE=cuda: they never pass by skipping."""
    options = ("-c", TESTS / "pytest.toml", TESTS)
    env = {"CUVEC_PACKAGE": "mypkg", "CUVEC_DEVICE": "cuda", "PYTHONDONTWRITEBYTECODE": "1"}
    output = environment.python("-m", "pytest", *options, cwd=environment.bin.parent, env=env, ok=False)
    assert "RuntimeError: CUVEC_DEVICE is cuda, but" in output
    assert " passed" not in output


@pytest.mark.night
def test_dask_has_as_many_workers_as_are_asked_for(environment: Environment, functions: str, tmp_path: Path) -> None:
    """`ci/gpu two` times it on GPUs: the same work, and the values are right, whatever their number."""
    if functions != "cu":
        pytest.skip("the same program")
    for workers in "12":
        shown = environment.python(ROOT / "bench/scaling.py", "mypkg", workers, cwd=tmp_path)
        (line,) = (line for line in shown.splitlines() if line.startswith("{"))  # workers print what they do
        times = json.loads(line)
        assert times.pop("device") == "cpu"
        assert set(times) == {"axpy", "gemv"}
        assert all(seconds > 0 for seconds in times.values())


def test_what_is_compiled_into_it_is_listed(functions: str, package: Path, runtime_wheel: Path) -> None:
    """Crates, CUDA, and what made the binding, in wheels that are built as a release is."""
    if functions != "gpu":
        pytest.skip("has no src/, or nothing of CUDA")
    listed = contents(runtime_wheel)["mypkg-0.1.0.dist-info/sboms/mypkg.cdx.json"].decode()
    assert JsonStrictValidator(SchemaVersion.V1_6).validate_str(listed) is None
    parts = {part["purl"] for part in json.loads(listed)["components"]}
    locks = [tomllib.loads(path.read_text()) for path in package.rglob("Cargo.lock")]
    crates = [crate for lock in locks for crate in lock["package"] if "checksum" in crate]
    assert {part for part in parts if part.startswith("pkg:cargo/")} == {
        f"pkg:cargo/{crate['name']}@{quote(crate['version'])}" for crate in crates
    }
    others = {part.partition("@")[0] for part in parts if not part.startswith("pkg:cargo/")}
    assert others == {"pkg:generic/cuda-toolkit"}
