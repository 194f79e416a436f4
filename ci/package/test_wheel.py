"""sdist and wheel hold what they should, are reproducible, and satisfy the auditors of PyPI and manylinux."""

import os
import shlex
import tomllib
from collections.abc import Callable
from pathlib import Path

import pytest
from environment import Environment, copy_of_conformance_tests, counts
from files import contents, members, metadata
from generator import KERNELS
from shell import ROOT, run

CONFORMANCE = ("package/test_package", "calls/test_kernel_errors")
CALLED = ("axpy", "dot", "gather", "root", "twice_at")  # functions that these call: no package has them all
KILOBYTES = {"cu": 1_600, "rust": 1_460}  # limits of a fresh package's wheel: a tenth more than what was measured


def test_name(wheel: Path, sdist: Path) -> None:
    assert wheel.name.startswith("mypkg-0.1.0-cp311-abi3-linux_")
    assert sdist.name == "mypkg-0.1.0.tar.gz"


@pytest.mark.parametrize("cached", [True, pytest.param(False, marks=pytest.mark.night)], ids=["", "without a cache"])
def test_wheel_of_the_sdist_is_the_wheel_of_the_tree(
    cached: bool, kernels: str, wheel: Path, sdist: Path, tmp_path: Path, build_tools: Environment
) -> None:
    """Compiled elsewhere and at another time, with other paths; at night with a core that is not the one in the cache."""
    if not cached and kernels != KERNELS[0]:
        pytest.skip("the same core")
    # Pip would keep the wheel of an archive, and not build it the next time.
    run("tar", "--extract", "--file", sdist, "--directory", tmp_path)
    env = {"PATH": build_tools.path, **({} if cached else {"CUVEC_CACHE": "0"})}
    again = build_tools.wheel(tmp_path / "mypkg-0.1.0", tmp_path / "wheel", "--no-build-isolation", env=env)
    assert again.name == wheel.name
    files, files_again = contents(wheel), contents(again)
    assert list(files) == list(files_again)
    assert not [name for name in files if files[name] != files_again[name]]
    assert again.read_bytes() == wheel.read_bytes()


def test_sdist_is_reproducible(sdist: Path, copy: Path, tmp_path: Path, build_tools: Environment) -> None:
    for path in copy.rglob("*"):
        path.touch()
    assert build_tools.build("sdist", copy, tmp_path / "dist").read_bytes() == sdist.read_bytes()


def test_no_path_of_the_build_is_in_the_wheel(wheel: Path, tmp_path_factory: pytest.TempPathFactory) -> None:
    """No package's path, since packages share compiled code, and none of the crates that cargo fetches."""
    crates = Path(os.environ.get("CARGO_HOME", Path.home() / ".cargo")) / "registry"
    places = [str(path).encode() for path in (tmp_path_factory.getbasetemp().parents[1], ROOT, Path.home(), crates)]
    assert not [name for name, text in contents(wheel).items() for place in places if place in text]


def test_auditwheel(wheel: Path) -> None:
    shown = run("auditwheel", "show", wheel)
    assert "manylinux_2_" in shown
    assert "libcuda" not in shown


def test_auditwheel_repair_adds_no_library(wheel: Path, repaired: Path) -> None:
    assert "-manylinux_2_" in repaired.name
    assert set(contents(wheel)) == {name for name in contents(repaired) if not name.endswith("/")}


@pytest.mark.parametrize("version", ["3.11", "3.13"])
def test_its_tests_pass(version: str, package: Path, request: pytest.FixtureRequest) -> None:
    """With one wheel for all versions of Python."""
    result = request.getfixturevalue(f"on_{version.replace('.', '')}").pytest(package)
    assert set(result) <= {"passed", "skipped"}
    assert result["passed"] >= 40


@pytest.mark.night
@pytest.mark.usefixtures("one_language")
def test_conformance_of_an_installed_package(
    kernels: str, on_311: Environment, build_tools: Environment, tmp_path: Path
) -> None:
    """In a copy of it, with functions that it does not have itself; the rest of the copy is its own."""
    marker = on_311.bin.parent / "lib/python3.11/site-packages/mypkg/cuvec/installed.txt"
    copy_of_conformance_tests(tmp_path, *CALLED)
    tested = tmp_path / f"runtime/target/check/{kernels}/package/checked/cuvec"
    command = (tmp_path / "runtime/check", kernels, *(f"tests/conformance/{name}.py" for name in CONFORMANCE))
    marker.touch()
    try:
        env = {"PATH": f"{on_311.bin}{os.pathsep}{build_tools.path}", "CUVEC_PACKAGE": "mypkg"}
        assert counts(run(*command, env=env))["passed"] >= 30
        (core,) = tested.glob("_core.*.so")
        assert core.read_bytes() == marker.with_name(core.name).read_bytes()
        assert (tested / marker.name).exists()
    finally:
        marker.unlink()


@pytest.mark.night
def test_wheel_passes_the_tests_of_cibuildwheel(repaired: Path, copy: Path, tmp_path: Path) -> None:
    """As its Linux job does: the repaired wheel, built on Python 3.11, a fresh environment, its test command."""
    environment = Environment(tmp_path / "venv", "3.12", "--group", f"{copy / 'pyproject.toml'}:test")
    environment.pip("install", "--quiet", repaired)
    with (copy / "pyproject.toml").open("rb") as file:
        command = tomllib.load(file)["tool"]["cibuildwheel"]["test-command"]
    words = [word.format(project=copy) for word in shlex.split(command)]
    run(environment.bin / words[0], *words[1:], cwd=tmp_path)


WITHOUT_METADATA = """
import importlib.metadata as metadata, pydoc
def missing(name): raise metadata.PackageNotFoundError(name)
metadata.distribution = missing
import mypkg
print(hasattr(mypkg, "__version__"), mypkg.__version__, "axpy" in pydoc.render_doc(mypkg))
"""


def test_a_package_without_metadata_has_a_version(on_311: Environment, tmp_path: Path) -> None:
    """As in an application of PyInstaller, or under another name."""
    assert on_311.python("-c", WITHOUT_METADATA, cwd=tmp_path) == "True 0.1.0 True\n"


def test_metadata_of_pep_639(wheel: Path) -> None:
    said = metadata(wheel)
    assert tuple(map(int, said["Metadata-Version"].split("."))) >= (2, 4)
    assert said["License-Expression"] == "MIT"
    assert said.get_all("License-File") == ["LICENSE"]
    assert not said["License"]
    assert not [line for line in said.get_all("Classifier") if line.startswith("License")]


def test_abi3audit(wheel: Path) -> None:
    shown = run("abi3audit", "--strict", "--summary", wheel, env={"COLUMNS": "200"})
    assert "0 ABI version mismatches and 0 ABI violations" in shown


def test_twine(wheel: Path, sdist: Path) -> None:
    run("twine", "check", "--strict", wheel, sdist)


def test_check_wheel_contents(wheel: Path) -> None:
    run("check-wheel-contents", wheel)


def test_wheel_holds_the_package_only(wheel: Path) -> None:
    names = [*contents(wheel)]
    assert {name.split("/")[0] for name in names} == {"mypkg", "mypkg-0.1.0.dist-info"}
    types = ["_core.pyi", "functions.pyi", "jax/functions.pyi", "torch/functions.pyi"]
    assert {"mypkg/py.typed", *(f"mypkg/cuvec/{it}" for it in types)} <= set(names)
    libraries = [name.partition(".")[0] for name in names if name.endswith(".so")]
    assert sorted(libraries) == ["mypkg/cuvec/_core", "mypkg/cuvec/_functions", "mypkg/ext"]
    assert "mypkg-0.1.0.dist-info/licenses/LICENSE" in names


def test_wheel_is_small(kernels: str, wheel: Path, show: Callable[[str], None]) -> None:
    show(f"wheel with kernels in {kernels}: {wheel.stat().st_size / 1000:.0f} kB")
    assert wheel.stat().st_size < KILOBYTES[kernels] * 1000


def test_sdist_holds_every_source(package: Path, sdist: Path) -> None:
    held = {*members(sdist)}
    sources = {
        str(path.relative_to(package)) for path in package.rglob("*") if path.is_file() and path.suffix != ".pyc"
    }
    assert held >= {name for name in sources if not name.startswith((".git", "build/"))}
    assert held - sources <= {"PKG-INFO"}
