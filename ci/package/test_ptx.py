"""Kernels written in Rust: their PTX is what the sources give, GPUs old and new take it, and it is never stale."""

from __future__ import annotations

import os
import re
import shutil
from pathlib import Path

import pytest
from environment import Environment
from generator import scaffold
from rustc import COMMANDS, COMPILER
from shell import ROOT, run

KERNELS = {"axpy_f32", "axpy_f64", "kernels_zero"} | {
    f"dot_{dtype}_{part}" for dtype in ("f32", "f64") for part in ("parts", "total")
}
CRATE = "runtime/kernels"
SCRIPT = "runtime/cmake/CompilePtx.cmake"
FOLDERS = ("kernels", "runtime/tests/kernels/rust")


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


@pytest.fixture
def ptx(tools: Environment, tmp_path: Path):
    """Does what a build does; returns the PTX it gives, or what it printed if that is to fail."""

    def build(package: Path, ok: bool = True, folder: str = "kernels", **env: str) -> str:
        image = tmp_path / "build/kernels.ptx"
        image.parent.mkdir(exist_ok=True)
        image.unlink(missing_ok=True)
        paths = {"KERNELS": package / folder, "BUILD": image.parent, "IMAGE": image}
        given = [f"-D{name}={path}" for name, path in paths.items()]
        env = {"PATH": tools.path} | env
        shown = run(tools.bin / "cmake", *given, "-P", package / SCRIPT, ok=ok, env=env)
        assert image.exists() == ok
        return image.read_text() if ok else " ".join(shown.split())

    return build


def shipped(package: Path, folder: str = "kernels") -> str:
    return (package / folder / "kernels.ptx").read_text()


def entries(text: str) -> set[str]:
    return set(re.findall(r"^\.visible \.entry (\w+)\(", text, flags=re.MULTILINE))


def test_the_ptx_is_what_the_sources_give(tree: Path, other: Path, tmp_path: Path, ptx) -> None:
    """And Rust's library is compiled once for all packages."""
    cache = tmp_path / "cache"
    made = []
    for folder in FOLDERS:
        (other / folder / "kernels.ptx").unlink()
        compiled = ptx(other, folder=folder, KERNELS_RUSTC=COMPILER, CUVEC_CACHE=str(cache))
        made.append({path: path.stat().st_mtime_ns for path in cache.rglob("*.rmeta")})
        if compiled != shipped(tree, folder):
            compilers = [text.splitlines()[1] for text in (shipped(tree, folder), compiled)]
            pytest.fail(f"{folder}: {compilers}: CONTRIBUTING.md says how to bring kernels.ptx up to date")
        assert shipped(other, folder) == compiled, "the tree was not brought up to date"
    assert len(made[0]) == 2  # core, and the one that is empty
    assert made[0] == made[1]


def test_no_compiler_is_needed_without_an_edit(tree: Path, other: Path, ptx) -> None:
    """Not even after git has turned the line endings of all files, as it may on Windows."""
    for path in [*other.glob("kernels/*.rs"), *(other / CRATE).glob("src/**/*.rs"), other / SCRIPT]:
        path.write_bytes(path.read_bytes().replace(b"\n", b"\r\n"))
    assert ptx(other, KERNELS_RUSTC="/nowhere/rustc") == shipped(tree)


@pytest.mark.parametrize("where", ["kernels/dot.rs", f"{CRATE}/src/grid/sum.rs"])
@pytest.mark.parametrize("change", ["edited", "added", "removed", "renamed", "other flags"])
def test_stale_ptx_is_refused(change: str, where: str, other: Path, ptx) -> None:
    source = other / where
    if change == "edited":
        source.write_text(source.read_text() + "// edited\n")
    elif change == "added":
        source.with_name("more.rs").write_text("")
    elif change == "removed":
        source.unlink()
    elif change == "renamed":
        source.rename(source.with_name("other.rs"))
    else:
        script = other / SCRIPT
        script.write_text(script.read_text().replace("sm_75", "sm_80"))
    shown = ptx(other, ok=False, KERNELS_RUSTC="/nowhere/rustc")
    assert all(command in shown for command in COMMANDS)
    assert "/nowhere/rustc" in shown


def test_an_edit_in_a_folder_of_the_kernels_is_noticed(other: Path, ptx) -> None:
    parts = other / "kernels/parts"
    parts.mkdir()
    (parts / "scale.rs").write_text("pub const SCALE: f32 = 2.0;\n")
    (parts / "scale.txt").write_text("3.0")
    (other / "kernels/lib.rs").write_text('#[path = "parts/scale.rs"]\npub mod scale;\n')
    ptx(other, KERNELS_RUSTC=COMPILER)
    ptx(other, KERNELS_RUSTC="/nowhere/rustc")  # it is not compiled again
    for file in parts.iterdir():
        before = file.read_text()
        file.write_text(before.replace("0", "5"))
        assert "/nowhere/rustc" in ptx(other, ok=False, KERNELS_RUSTC="/nowhere/rustc")
        file.write_text(before)


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
    (other / "kernels/axpy.rs").write_text("")
    shown = ptx(other, ok=False, KERNELS_RUSTC="", PATH=f"{programs}{os.pathsep}{os.environ['PATH']}")
    assert ("rustup has no nightly" if nightly == "missing" else "has no sources of its library") in shown
    assert all(command in shown for command in COMMANDS)


ADDED = """use crate::prelude::*;

kernel! {
    added<T: f32, I: i64>(x: &T[...], i: &I[...]) -> y: T[...] { *y = x * i as T }
}
"""


def test_an_edit_is_compiled_without_warnings(other: Path, ptx) -> None:
    (other / "kernels/added.rs").write_text(ADDED)
    script = other / SCRIPT
    script.write_text(script.read_text().replace("--emit asm", "-Dwarnings --emit asm"))
    compiled = ptx(other, KERNELS_RUSTC=COMPILER)
    assert entries(compiled) == KERNELS | {"added_f32_i64"}
    assert shipped(other) == compiled


def test_a_checked_build_leaves_the_tree_alone(tree: Path, other: Path, ptx) -> None:
    checked = ptx(other, KERNELS_RUSTC=COMPILER, KERNELS_CHECKED="1")
    assert entries(checked) == KERNELS
    assert checked != shipped(tree) == shipped(other)


def test_memory_is_accessed_16_bytes_at_a_time(tree: Path) -> None:
    text = shipped(tree)
    functions = re.split(r"^\.visible \.", text, flags=re.MULTILINE)
    bodies = {body.split("(")[0].removeprefix("entry "): body for body in functions}
    for name, loads in (("axpy_f32", 1), ("axpy_f64", 1), ("dot_f32_parts", 10), ("dot_f64_parts", 10)):
        assert bodies[name].count("ld.global.nc.v4.b32") == loads, name
        assert "ld.local" not in bodies[name]
    assert "st.v4.b32" in bodies["axpy_f32"]
    assert "st.v2.b64" in bodies["axpy_f64"]


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
            assert "0 bytes stack frame, 0 bytes spill stores, 0 bytes spill loads" in text
            found[name] = int(re.search(r"Used (\d+) registers", text)[1])
        return found

    return assemble


@pytest.mark.parametrize("folder", FOLDERS)
@pytest.mark.parametrize("architecture", ["sm_75", "sm_90", "sm_100", "sm_120"])
def test_ptxas(architecture: str, folder: str, tree: Path, ptxas) -> None:
    registers = ptxas(architecture, tree / folder / "kernels.ptx")
    assert set(registers) == entries(shipped(tree, folder)) >= KERNELS
    assert max(registers.values()) <= 80, "fewer than three blocks of 256 threads fit on a multiprocessor"


def test_the_recipes(other: Path, ptx, ptxas) -> None:
    """A matrix by warps, shared memory, two passes with scratch memory."""
    for file in (ROOT / "bench/kernels/rust").glob("*.rs"):
        shutil.copy(file, other / "kernels")
    compiled = ptx(other, KERNELS_RUSTC=COMPILER)
    assert "red.shared.add.u32" in compiled.split(".entry histogram_f32_over_x(")[1]
    assert compiled.split(".entry gemv_f32_y(")[1].count("ld.global.nc.v4.b32") >= 10
    for architecture in ("sm_75", "sm_90"):
        assert ptxas(architecture, other / "kernels/kernels.ptx").keys() >= {"blur_f64_rows", "blur_f64_result"}
