"""A second build compiles what was edited, and makes the wheel that a first one would make, whatever is in the cache."""

import fcntl
import shutil
from collections.abc import Callable
from pathlib import Path

import pytest
from environment import DEVELOPMENT, Environment, copy_of_cache, groups
from files import copied
from generator import scaffold

pytestmark = pytest.mark.night

COMPILED = "Building CUDA object"
FETCHED = "Collecting cuda-toolkit"

Build = Callable[..., tuple[str, bytes]]


@pytest.fixture(scope="module")
def source(folder: Path) -> Path:
    """A package without Rust in src/, which takes longer."""
    return scaffold(folder / "mypkg", kernels="cu", bridge="cpython")


@pytest.fixture(scope="module")
def cache(folder: Path) -> Path:
    """A cache that holds the core at most: other tests build packages in the one of all tests."""
    return copy_of_cache(folder / "cache", "core", "crates")


@pytest.fixture(scope="module")
def build(cache: Path, folder: Path, tmp_path_factory: pytest.TempPathFactory) -> Build:
    """Builds as pip does for its users, in isolation; returns what it said, and the wheel."""
    environment = Environment(folder / "venv", "3.11")

    def build(source: Path, **env: str) -> tuple[str, bytes]:
        folder = tmp_path_factory.mktemp("wheel")
        env = {**DEVELOPMENT, "CUVEC_CACHE": str(cache), **env}
        said = environment.pip("wheel", "--verbose", "--no-deps", "--wheel-dir", folder, source, env=env)
        (wheel,) = folder.iterdir()
        return said, wheel.read_bytes()

    return build


@pytest.fixture(scope="module")
def first(source: Path, build: Build) -> bytes:
    said, wheel = build(source)
    assert FETCHED in said
    return wheel


def kept(cache: Path, pattern: str) -> Path:
    (path,) = cache.glob(pattern)
    return path


def test_an_edit_compiles_one_file(source: Path, first: bytes, build: Build, tmp_path: Path) -> None:
    kernel, edited = source / "kernels/axpy.cu", tmp_path / "axpy.cu"
    text = kernel.read_text()
    edited.write_text(text.replace("y += a * x", "y += x * a + a - a"))
    assert edited.read_text() != text
    kernel.rename(tmp_path / "original.cu")
    shutil.copy(edited, kernel)
    said, second = build(source)
    assert (said.count(COMPILED), FETCHED in said) == (1, False)
    assert second != first

    # as it was, and older than what was compiled since
    (tmp_path / "original.cu").rename(kernel)
    assert build(source)[1] == first


def test_an_editable_install_takes_the_core_of_wheels(source: Path, first: bytes, cache: Path, tmp_path: Path) -> None:
    assert first
    cores = {*cache.glob("core-*")}
    environment = Environment(tmp_path / "venv", "3.11", *groups(source, "build"))
    copy = copied(source, tmp_path / "mypkg")
    said = environment.install_package(copy, "--verbose", "--editable", CUVEC_CACHE=str(cache), CUDA="OFF")
    assert "The core was compiled before" in said
    assert {*cache.glob("core-*")} == cores


def test_the_settings_of_this_build_count(source: Path, first: bytes, cache: Path, build: Build) -> None:
    """Without CUDA, while another build is in the folder; then with CUDA in the same folder."""
    with kept(cache, "builds/*/lock").open("w") as lock:
        fcntl.flock(lock, fcntl.LOCK_EX)
        _, without = build(source, CUDA="OFF")
    assert build(source, CUDA="OFF")[1] == without
    assert build(source)[1] == first


BUILDING = "Building the build program with cargo"


@pytest.mark.usefixtures("first")
def test_what_reads_declarations_is_compiled_once_for_all_packages(cache: Path, build: Build, tmp_path: Path) -> None:
    other = scaffold(tmp_path / "other", kernels="cu", bridge="cpython")
    program = kept(cache, "compile-*")
    said, wheel = build(other, CUDA="OFF")
    assert BUILDING not in said
    shutil.rmtree(program)
    said, again = build(other, CUDA="OFF")
    assert BUILDING not in said, "it has its own copy"
    assert again == wheel


@pytest.mark.usefixtures("first")
@pytest.mark.parametrize("version", ["3.11", "3.13"])
def test_no_python_compiles_crates_of_the_core_again(version: str, cache: Path, tmp_path: Path) -> None:
    """Which src/ in Rust needs too: they are taken from the cache, whatever Python they were compiled beside."""
    package = scaffold(tmp_path / "mypkg", kernels="cu", bridge="pyo3")
    environment = Environment(tmp_path / "venv", version, *groups(package, "build"))
    env = {
        "PATH": environment.path,
        "CUVEC_CACHE": str(cache),
        "CUDA": "OFF",
        "SKBUILD_BUILD_DIR": str(tmp_path / "build"),
    }
    environment.pip("wheel", "--no-build-isolation", "--no-deps", "--wheel-dir", tmp_path / "wheel", package, env=env)
    (crate,) = tmp_path.glob("build/cargo/*/release/deps/libpyo3-*.rlib")
    cached = cache.glob(f"crates-*/{crate.relative_to(tmp_path / 'build/cargo')}")
    assert crate.stat().st_mtime_ns in {path.stat().st_mtime_ns for path in cached}
