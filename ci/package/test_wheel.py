"""sdist and wheel hold what they should, are reproducible, and satisfy the auditors of PyPI and manylinux."""

from __future__ import annotations

import email
import json
import os
import shlex
import tarfile
import tomllib
import zipfile
from pathlib import Path
from urllib.parse import quote

import pytest
from cyclonedx.schema import SchemaVersion
from cyclonedx.validation.json import JsonStrictValidator
from environment import Environment
from generator import Combination
from proofs import compiles_for_the_gpu, host
from shell import run

# Limits of a fresh package's wheel, by host and kernels: a tenth more than what was measured.
KILOBYTES = {("cpp", "cu"): 630, ("rust", "cu"): 1_100, ("rust", "rust"): 820}


def tag(package: Path) -> str:
    """Python and ABI in the name of a wheel from Python 3.11, as pyproject.toml promises them."""
    with (package / "pyproject.toml").open("rb") as file:
        promised = tomllib.load(file)["tool"]["scikit-build"]["wheel"].get("py-api", "")
    return {"cp311": "cp311-abi3", "py3": "py3-none"}.get(promised, "cp311-cp311")


def test_name(package: Path, wheel: Path, sdist: Path) -> None:
    assert wheel.name.startswith(f"mypkg-0.1.0-{tag(package)}-linux_")
    assert sdist.name == "mypkg-0.1.0.tar.gz"


def test_wheel_of_the_sdist_is_the_wheel_of_the_tree(
    wheel: Path, sdist: Path, gpus: dict[str, str], tmp_path: Path, build_tools: Environment
) -> None:
    """Compiled elsewhere and at another time, with other paths: the same bytes."""
    with tarfile.open(sdist) as archive:  # pip would keep the wheel of an archive, and not build it the next time
        archive.extractall(tmp_path, filter="data")
    # From the cache come crates of others alone, which know nothing of where they are compiled for.
    anew = {"CMAKE_C_COMPILER_LAUNCHER": "", "CMAKE_CXX_COMPILER_LAUNCHER": "", "OWN_CRATES_ANEW": "1"}
    env = {"PATH": build_tools.path, **anew, **gpus}
    again = build_tools.wheel(tmp_path / "mypkg-0.1.0", tmp_path / "wheel", "--no-build-isolation", env=env)
    assert (again.name, again.read_bytes()) == (wheel.name, wheel.read_bytes())


def test_sdist_is_reproducible(sdist: Path, copy: Path, tmp_path: Path, build_tools: Environment) -> None:
    for path in copy.rglob("*"):
        path.touch()
    assert build_tools.build("sdist", copy, tmp_path / "dist").read_bytes() == sdist.read_bytes()


def test_no_path_of_the_build_is_in_the_wheel(wheel: Path, runtime_wheel: Path, together: Path) -> None:
    """Of any package, for they share what is compiled; but where cargo keeps the crates that it fetches: Rust names the
    places of their panics."""
    places = [str(path).encode() for path in (together, Path.home())]
    crates = f"{os.environ.get('CARGO_HOME', Path.home() / '.cargo')}/registry".encode()
    for built in (wheel, runtime_wheel):  # with kernels that may stop in other places
        with zipfile.ZipFile(built) as archive:
            texts = {name: archive.read(name).replace(crates, b"") for name in archive.namelist()}
        assert not [name for name, text in texts.items() for place in places if place in text]


def test_auditwheel(wheel: Path) -> None:
    shown = run("auditwheel", "show", wheel)
    assert "manylinux_2_" in shown
    assert "libcuda" not in shown


def test_auditwheel_repair_adds_no_library(wheel: Path, repaired: Path) -> None:
    assert "-manylinux_2_" in repaired.name
    with zipfile.ZipFile(wheel) as before, zipfile.ZipFile(repaired) as after:
        files = {name for name in after.namelist() if not name.endswith("/")}
        assert set(before.namelist()) == files


def test_wheel_passes_the_tests_of_cibuildwheel(repaired: Path, copy: Path, tmp_path: Path) -> None:
    """As its Linux job does: the repaired wheel, built on Python 3.11, a fresh environment, its test command."""
    environment = Environment(tmp_path / "venv", "3.12")
    environment.install("--group", f"{copy / 'pyproject.toml'}:test")
    environment.pip("install", "--quiet", repaired)
    with (copy / "pyproject.toml").open("rb") as file:
        command = tomllib.load(file)["tool"]["cibuildwheel"]["test-command"]
    words = [word.format(project=copy) for word in shlex.split(command)]
    run(environment.bin / words[0], *words[1:], cwd=tmp_path)


def test_metadata_of_pep_639(wheel: Path) -> None:
    with zipfile.ZipFile(wheel) as archive:
        metadata = email.message_from_bytes(archive.read("mypkg-0.1.0.dist-info/METADATA"))
    assert tuple(map(int, metadata["Metadata-Version"].split("."))) >= (2, 4)
    assert metadata["License-Expression"] == "MIT"
    assert metadata.get_all("License-File") == ["LICENSE", "runtime/LICENSE"]
    assert not metadata["License"]
    assert not [line for line in metadata.get_all("Classifier") if line.startswith("License")]


def test_abi3audit(wheel: Path) -> None:
    if "abi3" not in wheel.name:
        pytest.skip("no abi3 wheel")
    shown = run("abi3audit", "--strict", "--summary", wheel, env={"COLUMNS": "200"})
    assert "0 ABI version mismatches and 0 ABI violations" in shown


def test_twine(wheel: Path, sdist: Path) -> None:
    run("twine", "check", "--strict", wheel, sdist)


def test_check_wheel_contents(wheel: Path) -> None:
    run("check-wheel-contents", wheel)


def test_wheel_holds_the_package_only(wheel: Path) -> None:
    with zipfile.ZipFile(wheel) as archive:
        names = archive.namelist()
    assert {name.split("/")[0] for name in names} == {"mypkg", "mypkg-0.1.0.dist-info"}
    assert {"mypkg/py.typed", "mypkg/cuvec/_core.pyi", "mypkg/cuvec/functions.pyi"} <= set(names)
    libraries = [name.partition(".")[0] for name in names if name.endswith(".so")]
    assert len([name for name in libraries if name.startswith("mypkg/cuvec/")]) == 1
    of_src = [name for name in libraries if not name.startswith("mypkg/cuvec/")]
    assert of_src in (["mypkg/ext"], ["mypkg/libext"])
    assert "mypkg-0.1.0.dist-info/licenses/LICENSE" in names


def test_wheel_is_small(combination: Combination, wheel: Path) -> None:
    limit = KILOBYTES.get((host(combination.bridge), combination.kernels), 1_100)
    assert wheel.stat().st_size < limit * 1000


def test_sdist_holds_every_source(package: Path, sdist: Path) -> None:
    with tarfile.open(sdist) as archive:
        held = {name.partition("/")[2] for name in archive.getnames()}
    sources = {str(path.relative_to(package)) for path in package.rglob("*") if path.is_file()}
    assert held >= {name for name in sources if not name.startswith(".git")}
    assert held - sources <= {"PKG-INFO"}


def test_kernels_are_in_the_wheel(wheel: Path) -> None:
    with zipfile.ZipFile(wheel) as archive:
        names = [name for name in archive.namelist() if name.startswith("mypkg/cuvec/") and name.endswith(".so")]
        (module,) = map(archive.read, names)
    assert b"axpy" in module  # in the names of kernels, and in the table


def test_what_is_compiled_into_it_is_listed(package: Path, combination: Combination, runtime_wheel: Path) -> None:
    """Crates, CUDA, and what made the binding, in wheels that are built as a release is."""
    with zipfile.ZipFile(runtime_wheel) as archive:
        listed = archive.read("mypkg-0.1.0.dist-info/sboms/mypkg.cdx.json").decode()
    assert JsonStrictValidator(SchemaVersion.V1_6).validate_str(listed) is None
    parts = {part["purl"] for part in json.loads(listed)["components"]}
    locks = [tomllib.loads(path.read_text()) for path in package.glob("*/**/Cargo.lock")]
    crates = [crate for lock in locks for crate in lock["package"] if "checksum" in crate]
    assert {part for part in parts if part.startswith("pkg:cargo/")} == {
        f"pkg:cargo/{crate['name']}@{quote(crate['version'])}" for crate in crates
    }
    asked = tomllib.loads((package / "pyproject.toml").read_text())["build-system"]["requires"]
    others = {f"pkg:pypi/{tool}" for tool in ("nanobind", "pybind11", "swig") if any(tool in each for each in asked)}
    if combination.kernels == "cu" and compiles_for_the_gpu(combination):
        others.add("pkg:generic/cuda-toolkit")
    assert {part.partition("@")[0] for part in parts if not part.startswith("pkg:cargo/")} == others
