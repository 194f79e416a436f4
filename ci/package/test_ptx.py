"""Kernels written in Rust: their PTX is what the sources give, GPUs old and new take it, and it is never stale."""

from __future__ import annotations

import os
import re
import shutil
from pathlib import Path

import pytest
from environment import Environment
from generator import scaffold
from recipe import follow
from rustc import COMMANDS, COMPILER
from shell import ROOT, run

KERNELS = {"address", "axpy_f32", "axpy_f64", "dot_f32", "dot_f64"}


@pytest.fixture(scope="module")
def tree(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A package as it is scaffolded. Nobody builds in it."""
    return scaffold(tmp_path_factory.mktemp("ptx") / "mypkg", kernels="rust")


@pytest.fixture
def other(tree: Path, tmp_path: Path) -> Path:
    """A copy of it that a test may change."""
    return Path(shutil.copytree(tree, tmp_path / "mypkg"))


@pytest.fixture(scope="module")
def tools(tmp_path_factory: pytest.TempPathFactory) -> Environment:
    environment = Environment(tmp_path_factory.mktemp("ptx-tools"), "3.11")
    environment.install("cmake", "cuda-toolkit[nvcc]==13.0.*")
    return environment


@pytest.fixture(scope="module")
def core(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Where Rust's library is compiled for the GPU, once for all tests."""
    return tmp_path_factory.mktemp("core")


@pytest.fixture
def ptx(tools: Environment, core: Path):
    """Does what a build does; returns the PTX it gives, or what it printed if that is to fail."""

    def build(package: Path, ok: bool = True, **env: str) -> str:
        image = core / "kernels.ptx"
        image.unlink(missing_ok=True)
        script = package / "kernels/ptx.cmake"
        shown = run(tools.bin / "cmake", f"-DBUILD={core}", f"-DIMAGE={image}", "-P", script, ok=ok, env=env)
        assert image.exists() == ok
        return image.read_text() if ok else " ".join(shown.split())

    return build


def shipped(package: Path) -> str:
    return (package / "kernels/kernels.ptx").read_text()


def entries(text: str) -> set[str]:
    return set(re.findall(r"^\.visible \.entry (\w+)\(", text, flags=re.MULTILINE))


def test_the_ptx_is_what_the_sources_give(tree: Path, other: Path, ptx) -> None:
    (other / "kernels/kernels.ptx").unlink()
    compiled = ptx(other, KERNELS_RUSTC=COMPILER)
    if compiled != shipped(tree):
        compilers = [text.splitlines()[1] for text in (shipped(tree), compiled)]
        pytest.fail(f"{compilers}: CONTRIBUTING.md says how to bring kernels.ptx up to date")
    assert shipped(other) == compiled, "the tree was not brought up to date"


def test_no_compiler_is_needed_without_an_edit(tree: Path, other: Path, ptx) -> None:
    """Not even after git has turned the line endings of all files, as it may on Windows."""
    for path in [*other.glob("kernels/src/**/*.rs"), other / "kernels/ptx.cmake"]:
        path.write_bytes(path.read_bytes().replace(b"\n", b"\r\n"))
    assert ptx(other, KERNELS_RUSTC="/nowhere/rustc") == shipped(tree)


@pytest.mark.parametrize("change", ["edited", "added", "removed", "renamed", "other flags"])
def test_stale_ptx_is_refused(change: str, other: Path, ptx) -> None:
    source = other / "kernels/src/grid/math.rs"
    if change == "edited":
        source.write_text(source.read_text() + "// edited\n")
    elif change == "added":
        source.with_name("more.rs").write_text("")
    elif change == "removed":
        source.unlink()
    elif change == "renamed":
        source.rename(source.with_name("maths.rs"))
    else:
        script = other / "kernels/ptx.cmake"
        script.write_text(script.read_text().replace("sm_75", "sm_80"))
    shown = ptx(other, ok=False, KERNELS_RUSTC="/nowhere/rustc")
    assert all(command in shown for command in COMMANDS)
    assert "/nowhere/rustc" in shown


@pytest.mark.parametrize("nightly", ["missing", "without sources"])
def test_a_nightly_that_will_not_do(nightly: str, other: Path, ptx, tmp_path: Path) -> None:
    programs = tmp_path / "bin"
    programs.mkdir()
    scripts = {"rustup": f"echo {programs}/rustc", "rustc": f"echo {tmp_path}"}
    if nightly == "missing":
        scripts["rustup"] = "exit 1"
    for name, script in scripts.items():
        (programs / name).write_text(f"#!/bin/sh\n{script}\n")
        (programs / name).chmod(0o755)
    (other / "kernels/src/axpy.rs").write_text("")
    shown = ptx(other, ok=False, KERNELS_RUSTC="", PATH=f"{programs}{os.pathsep}{os.environ['PATH']}")
    assert ("rustup has no nightly" if nightly == "missing" else "has no sources of its library") in shown
    assert all(command in shown for command in COMMANDS)


def test_an_edit_is_compiled_without_warnings(other: Path, ptx) -> None:
    with (other / "kernels/src/axpy.rs").open("a") as file:
        file.write(
            "\nkernel! {\n    fn added(grid, y: Output<f32>[n], n: usize) {\n        let _ = (grid, y);\n    }\n}\n"
        )
    script = other / "kernels/ptx.cmake"
    script.write_text(script.read_text().replace("--emit asm", "-Dwarnings --emit asm"))
    compiled = ptx(other, KERNELS_RUSTC=COMPILER)
    assert entries(compiled) == KERNELS | {"added"}
    assert shipped(other) == compiled


def test_a_checked_build_leaves_the_tree_alone(tree: Path, other: Path, ptx) -> None:
    checked = ptx(other, KERNELS_RUSTC=COMPILER, KERNELS_CHECKED="1")
    assert entries(checked) == KERNELS
    assert checked != shipped(tree) == shipped(other)


def test_memory_is_accessed_16_bytes_at_a_time(tree: Path) -> None:
    text = shipped(tree)
    functions = re.split(r"^\.visible \.", text, flags=re.MULTILINE)
    bodies = {body.split("(")[0].removeprefix("entry "): body for body in functions}
    for name, loads in (("axpy_f32", 1), ("axpy_f64", 1), ("dot_f32", 10), ("dot_f64", 10)):
        assert bodies[name].count("ld.global.nc.v4.b32") == loads, name
        assert "ld.local" not in bodies[name]
        assert "call" not in bodies[name]
    assert "st.global.v4.b32" in bodies["axpy_f32"]
    assert "st.global.v2.b64" in bodies["axpy_f64"]


@pytest.fixture
def ptxas(tools: Environment, tmp_path: Path):
    """Assembles PTX, without any spill of a register; returns the number of registers of each kernel."""
    (program,) = tools.bin.parent.glob("lib/python*/site-packages/nvidia/cu*/bin/ptxas")

    def assemble(architecture: str, source: Path) -> dict[str, int]:
        shown = run(program, "-v", "-warn-spills", f"-arch={architecture}", source, "-o", tmp_path / "kernels.cubin")
        assert "warning" not in shown
        kernels = re.split(r"Compiling entry function '(\w+)'", shown)
        found = {}
        for name, text in zip(kernels[1::2], kernels[2::2], strict=True):
            assert "0 bytes spill stores, 0 bytes spill loads" in text
            found[name] = int(re.search(r"Used (\d+) registers", text)[1])
        return found

    return assemble


@pytest.mark.parametrize("architecture", ["sm_75", "sm_90", "sm_100", "sm_120"])
def test_ptxas(architecture: str, tree: Path, ptxas) -> None:
    registers = ptxas(architecture, tree / "kernels/kernels.ptx")
    assert set(registers) == KERNELS
    assert max(registers.values()) <= 64, "fewer blocks fit on a multiprocessor"


def test_a_larger_kernel(other: Path, ptx, ptxas) -> None:
    """With a tile in shared memory."""
    follow(other, ROOT / "ci/kernels/heat.md")
    compiled = ptx(other, KERNELS_RUSTC=COMPILER)
    body = compiled.split(".entry heat_f32(")[1]
    assert "ld.shared" in body
    assert "bar" in body
    assert ptxas("sm_90", other / "kernels/kernels.ptx")["heat_f32"] <= 64


def test_nothing_of_nvcc_is_in_the_package(tree: Path) -> None:
    assert not list(tree.rglob("*.cu"))
    assert "cuda-toolkit" not in (tree / "pyproject.toml").read_text()
    assert "nvcc" not in (tree / "README.md").read_text()
