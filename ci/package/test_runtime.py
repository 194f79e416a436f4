"""The conformance tests of the runtime pass without a GPU: on functions in either language and in both, on two Pythons."""

from __future__ import annotations

import json
import os
import shutil
import tomllib
import zipfile
from collections.abc import Callable
from pathlib import Path
from urllib.parse import quote

import pytest
from cyclonedx.schema import SchemaVersion
from cyclonedx.validation.json import JsonStrictValidator
from environment import Environment
from generator import scaffold
from shell import ROOT, run

Show = Callable[[str], None]
TESTS = "runtime/tests"


def conformance(environment: Environment, package: Path, what: str, show: Show, *folders: str, **env: str) -> None:
    """Those in `folders`."""
    tests = [f"{TESTS}/{folder}" for folder in folders]
    result = environment.pytest(package, tests=tests, config=package / TESTS / "pytest.toml", **env)
    show(f"conformance tests, {what}: {result}")
    assert set(result) <= {"passed", "skipped"}
    assert result["passed"] >= 1500


def installed(folder: Path, version: str, package: Path, wheel: Path, *libraries: str) -> Environment:
    """A Python with a wheel, what its tests need, and libraries to exchange arrays with."""
    environment = Environment(folder, version)
    needed = [package / TESTS / "requirements.txt", *(ROOT / f"ci/{name}.txt" for name in libraries)]
    environment.install(*(word for file in needed for word in ("--requirement", file)), wheel)
    return environment


@pytest.fixture(scope="module")
def environment(work: Path, kernels: str, package: Path, runtime_wheel: Path) -> Environment:
    """One Python for each language: `_functions` knows nothing of Python, and `_core` is the same in both wheels."""
    version = {"cu": "3.11", "rust": "3.13"}[kernels]
    return installed(work / f"runtime-{version}", version, package, runtime_wheel, "peers", "adapters")


def test_conformance(kernels: str, package: Path, environment: Environment, show: Show) -> None:
    """Adapters are Python alone: of functions in Rust, theirs run in the test of both languages, on the same Python."""
    folders = {path.parent.name for path in (package / TESTS).glob("*/test_*.py")}
    elsewhere = {"adapters"} if kernels == "rust" else set()
    conformance(environment, package, kernels, show, *sorted(folders - elsewhere))


def test_the_core_is_the_same_in_all_wheels(runtime_wheel: Path) -> None:
    with zipfile.ZipFile(runtime_wheel) as archive:
        (core,) = (archive.read(name) for name in archive.namelist() if name.endswith("/_core.abi3.so"))
    stored = (path.read_bytes() for path in Path(os.environ["CUVEC_CACHE"]).glob("core-*/_core.abi3.so"))
    assert core in stored


def test_cuda_is_demanded(package: Path, environment: Environment) -> None:
    """Without a GPU the tests fail under CUVEC_DEVICE=cuda: they never pass by skipping."""
    options = ("-c", package / TESTS / "pytest.toml", package / TESTS)
    env = {"CUVEC_DEVICE": "cuda", "PYTHONDONTWRITEBYTECODE": "1"}
    output = environment.python("-m", "pytest", *options, cwd=environment.bin.parent, env=env, ok=False)
    assert "RuntimeError: CUVEC_DEVICE is cuda, but" in output
    assert " passed" not in output


def test_dask_has_as_many_workers_as_are_asked_for(environment: Environment, kernels: str, tmp_path: Path) -> None:
    """`ci/gpu two` times it on GPUs: the same work, and the values are right, whatever their number."""
    if kernels != "cu":
        pytest.skip("the same program")
    for workers in "12":
        shown = environment.python(ROOT / "bench/scaling.py", "mypkg", workers, cwd=tmp_path)
        (line,) = (line for line in shown.splitlines() if line.startswith("{"))  # workers print what they do
        times = json.loads(line)
        assert times.pop("device") == "cpu"
        assert set(times) == {"axpy", "gemv"}
        assert all(seconds > 0 for seconds in times.values())


def test_what_is_compiled_into_it_is_listed(package: Path, kernels: str, runtime_wheel: Path) -> None:
    """Crates, CUDA, and what made the binding, in wheels that are built as a release is."""
    with zipfile.ZipFile(runtime_wheel) as archive:
        listed = archive.read("mypkg-0.1.0.dist-info/sboms/mypkg.cdx.json").decode()
    assert JsonStrictValidator(SchemaVersion.V1_6).validate_str(listed) is None
    parts = {part["purl"] for part in json.loads(listed)["components"]}
    locks = [tomllib.loads(path.read_text()) for path in package.rglob("Cargo.lock")]
    crates = [crate for lock in locks for crate in lock["package"] if "checksum" in crate]
    assert {part for part in parts if part.startswith("pkg:cargo/")} == {
        f"pkg:cargo/{crate['name']}@{quote(crate['version'])}" for crate in crates
    }
    others = {part.partition("@")[0] for part in parts if not part.startswith("pkg:cargo/")}
    assert others == ({"pkg:generic/cuda-toolkit"} if kernels == "cu" else set())


@pytest.fixture(scope="module")
def mixed(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A package, and next to it a folder of functions for the conformance tests, half of which are in each language."""
    folder = tmp_path_factory.mktemp("mixed")
    package = scaffold(folder / "mypkg", kernels="rust")
    run(ROOT / "ci/mix-kernels", package / TESTS / "kernels", folder / "kernels")
    return package


@pytest.fixture(scope="module")
def tools(mixed: Path) -> Environment:
    tools = Environment(mixed.parent / "tools", "3.13")
    tools.install(f"--group={mixed / 'pyproject.toml'}:build")
    return tools


def test_functions_in_both_languages(mixed: Path, tools: Environment, show: Show) -> None:
    """Built with DEBUG, which finds no index out of range but in its own test."""
    env = {"PATH": tools.path, "CUDA": "OFF"}
    options = ("--no-build-isolation", "-Ccmake.define.DEBUG=ON", f"-Ccmake.define.KERNELS={mixed.parent / 'kernels'}")
    wheel = tools.wheel(mixed, mixed.parent / "wheel", *options, env=env)
    environment = installed(mixed.parent / "python", "3.13", mixed, wheel)
    conformance(environment, mixed, "both languages on 3.13", show, "adapters", "calls", "streams", DEBUG="ON")


def test_no_element_outside_of_an_array(mixed: Path, tools: Environment) -> None:
    """What goes wrong in a kernel in Rust is an exception. `ci/gpu` runs the same on a GPU."""
    for name in ("gather", "gather_sum"):
        shutil.copy(ROOT / f"ci/kernels/{name}.rs", mixed / "kernels")
    tools.install("numpy")
    tools.pip("install", "--no-build-isolation", "--no-deps", mixed, env={"PATH": tools.path, "CUDA": "OFF"})
    tools.python(ROOT / "ci/kernels/out_of_bounds.py", "mypkg", cwd=mixed.parent)
