"""`--runtime wheel`: the runtime as a package in a local index, and packages that are built with it."""

from __future__ import annotations

import hashlib
import re
import shutil
import zipfile
from pathlib import Path

import pytest
from developer import Developer
from environment import Environment
from generator import scaffold
from shell import ROOT, run

# What an edit of `axpy` makes [2.0].
CALL = "import mypkg; x, y = mypkg.cuvec.zeros((2, 1)); mypkg.axpy(2, x, y); print(y.tolist())"
# The license of the runtime was elsewhere; and the sums of all files.
OTHER = {"mypkg-0.1.0.dist-info/METADATA", "mypkg-0.1.0.dist-info/RECORD"}
# By the path of a crate that another one needs, rustc orders what it makes of both.
CRATES = {"cu": {"mypkg/ext.abi3.so"}, "rust": {"mypkg/ext.abi3.so", "mypkg/cuvec/_functions.so"}}


def edit(package: Path) -> None:
    (kernel,) = (package / "kernels").glob("axpy.*")
    kernel.write_text(kernel.read_text().replace("y += a * x", "y += a * x + a"))


def contents(wheel: Path) -> dict[str, bytes]:
    with zipfile.ZipFile(wheel) as archive:
        return {name: archive.read(name) for name in archive.namelist()}


@pytest.fixture(scope="module")
def index(work: Path, package: Path) -> Path:
    """sdist and wheel of the runtime of a package, the wheel made of the sdist, as they would be on PyPI."""
    run("python", "-m", "build", "--outdir", work / "index", shutil.copytree(package / "runtime", work / "runtime"))
    return work / "index"


@pytest.fixture(autouse=True)
def _pip_finds_it(index: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("PIP_FIND_LINKS", index.as_uri())  # blanks separate several
    monkeypatch.setenv("UV_FIND_LINKS", index.as_uri())


@pytest.fixture(scope="module")
def slim(work: Path, kernels: str) -> Path:
    return scaffold(work / "slim", kernels=kernels, runtime="wheel")


def test_the_wheel_of_the_runtime_has_its_files(index: Path, package: Path) -> None:
    run("twine", "check", "--strict", *index.iterdir())
    (wheel,) = index.glob("cuvec_runtime-*-py3-none-any.whl")
    files = {name: hashlib.sha256(text).hexdigest() for name, text in contents(wheel).items()}
    lines = (package / "runtime/SHA256SUMS").read_text().splitlines()
    copied = {f"cuvec_runtime/{name}": sum for sum, name in (line.split("  ", 1) for line in lines)}
    module = {
        name: copied[f"cuvec_runtime/backend/{name}"]
        for name in ("cuvec_runtime/__init__.py", "cuvec_runtime/__main__.py")
    }
    assert {name: sum for name, sum in files.items() if ".dist-info/" not in name} == copied | module


def test_its_crates_can_be_published(package: Path, kernels: str, tmp_path: Path) -> None:
    """But for their addresses, of which there are none yet. Both are compiled as they are packaged."""
    if kernels == "rust":
        pytest.skip("the same crates, and they take a minute")
    crates = ("--package=cuvec-spec", "--package=cuvec-runtime")
    options = ("--dry-run", "--allow-dirty", "--locked", f"--target-dir={tmp_path}")
    said = run("cargo", "publish", *options, *crates, cwd=package / "runtime")
    assert said.count("aborting upload due to dry run") == 2
    for crate in ("cuvec-spec", "cuvec-runtime"):
        assert re.search(rf"Compiling {crate} \S+ \({tmp_path}/package/", said), crate


def test_a_package_has_the_wheel_of_one_with_a_copy(work: Path, slim: Path, wheel: Path, kernels: str) -> None:
    """Built from its sdist."""
    environment = Environment(work / "slim-build", "3.11")
    environment.install("build")
    environment.python("-m", "build", "--sdist", "--outdir", work / "slim-sdist", slim)
    (sdist,) = (work / "slim-sdist").iterdir()
    mine, other = contents(environment.wheel(sdist, work / "slim-wheel")), contents(wheel)
    assert list(mine) == list(other)
    assert {name for name in mine if mine[name] != other[name]} <= OTHER | CRATES[kernels]


def test_develop(work: Path, slim: Path, kernels: str) -> None:
    """An editable install, by the commands of the README."""
    if kernels == "cu":
        pytest.skip("the same, and nvcc takes longer")
    developer = Developer(Path(shutil.copytree(slim, work / "slim-developer")), to_the_letter=False)
    edit(developer.package)
    assert developer.python(CALL) == "[2.0]\n"


def test_its_tests_pass_and_an_edit_is_built(work: Path, slim: Path) -> None:
    """Isolated, and so with another place of the installed runtime each time."""
    environment = Environment(work / "slim-python", "3.11")
    environment.install("--group", f"{slim / 'pyproject.toml'}:test")
    said = environment.pip("install", "--verbose", slim, env={"CUDA": "OFF"})
    assert "The core was compiled before" in said, "it is the one of all packages"
    assert environment.pytest(slim)["passed"] >= 40
    edit(slim)
    said = environment.pip("install", "--verbose", slim, env={"CUDA": "OFF"})
    assert "Detecting C compiler ABI info" not in said, "CMake has examined it again"
    assert environment.python("-c", CALL, cwd=work) == "[2.0]\n"


def test_a_runtime_that_is_not_there_is_named(work: Path, slim: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.delenv("PIP_FIND_LINKS")
    version = (ROOT / "runtime/VERSION").read_text().strip()
    environment = Environment(work / "slim-alone", "3.11")
    said = environment.pip("wheel", "--no-deps", slim, cwd=work, ok=False)
    assert f"No matching distribution found for cuvec-runtime=={version}" in said
    said = environment.pip("wheel", "--no-deps", "--no-build-isolation", slim, cwd=work, ok=False)
    assert "Cannot import build backend 'cuvec_runtime." in said
