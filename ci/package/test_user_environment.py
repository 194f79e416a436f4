"""Variables that people have set for other builds, which `ci/environment.sh` unsets, leave a package as it is."""

import ctypes
import os
import re
import shutil
from pathlib import Path

import pytest
from environment import WHEEL, Environment
from functions_alone import TEMPLATES, Library
from generator import scaffold, unpack
from shell import ROOT, run

pytestmark = pytest.mark.night

AXPY = TEMPLATES / "axpy.cu"
FLAGS = "-O2 -flto=auto"  # as distributions have them
LTO = {"CFLAGS": FLAGS, "CXXFLAGS": FLAGS}


def test_link_time_optimization(library: Library) -> None:
    library.add(AXPY)
    library.configure(cuda="OFF", **LTO)
    library.build()
    assert ctypes.CDLL(str(library.file)).cuvec_functions


@pytest.mark.parametrize("flags", [{}, LTO], ids=["", "LTO"])
def test_what_is_undefined_fails_the_build(flags: dict[str, str], library: Library) -> None:
    """Not the first import."""
    text = AXPY.read_text().replace("struct axpy", "int elsewhere();\nstruct axpy")
    text, count = re.subn(r"\{ (y \+?= )", r"{ \1elsewhere() + ", text)
    assert count == 1
    (library.kernels / "axpy.cu").write_text(text)
    library.configure(cuda="OFF", **flags)
    assert "undefined reference to `elsewhere" in library.build(ok=False)


MODULE = """
cmake_minimum_required(VERSION 3.27...4.4)
project(module LANGUAGES C)
set(CUDA OFF)
set(RUNTIME "{root}/runtime")
find_package(Python REQUIRED COMPONENTS Interpreter)
include("{root}/runtime/cmake/Extension.cmake")
cuvec_extension(ext BINDINGS {binding} SOURCES ext.cpp)
"""
EXTENSION = """
extern "C" {
void *PyModule_Create2(void *, int);
void elsewhere();
__attribute__((visibility("default"))) void *PyInit_ext() { CALL return PyModule_Create2(nullptr, 0); }
}
"""


@pytest.mark.parametrize("binding", ["cpython", "ctypes"])
def test_what_is_undefined_in_src_fails_the_build(binding: str, nvcc_tools: Environment, tmp_path: Path) -> None:
    """Functions of Python are undefined in every module, and no fault."""
    (tmp_path / "CMakeLists.txt").write_text(MODULE.format(root=ROOT, binding=binding))
    (tmp_path / "ext.py").touch()
    build = tmp_path / "build"
    for call, ok in (("", True), ("elsewhere();", False)):
        (tmp_path / "ext.cpp").write_text(EXTENSION.replace("CALL", call))
        nvcc_tools.cmake(tmp_path, build)
        said = run("cmake", "--build", build, env=nvcc_tools.active, ok=ok)
        assert ("undefined symbol: elsewhere" in said) != ok


def test_a_package_without_functions(library: Library) -> None:
    said = library.configure(cuda="OFF", ok=False)
    assert f"there is no function in {library.kernels}: a file NAME.cu or NAME.rs declares one" in said


@pytest.mark.parametrize("toolkit", ["", "lib/python3.11/site-packages/nvidia/cu13"], ids=["empty", "of PyPI"])
def test_variables_of_cuda(toolkit: str, library: Library) -> None:
    """An empty variable is not set (CUDACXX and the others: `functions_alone`); CUDA_HOME may name the toolkit from PyPI."""
    library.add(AXPY)
    place = library.tools.bin.parent
    said = library.configure(CUDAARCHS="", CUDA_HOME=str(place / toolkit) if toolkit else "")
    assert f"Check for working CUDA compiler: {place}" in said


NEWER_GLIBC = """
#include_next <bits/mathcalls.h>
#if !defined __GLIBC_USE_IEC_60559_FUNCS_EXT_C23 || __GLIBC_USE_IEC_60559_FUNCS_EXT_C23
__MATHCALL (rsqrt,, (_Mdouble_ __x));
#endif
"""


def test_glibc_that_nvcc_does_not_know(library: Library) -> None:
    """As glibc 2.42 declares what CUDA before 13.2 declares in another way; `ci/distributions sid` has it."""
    library.add(AXPY)
    glibc = library.folder / "glibc"
    (glibc / "bits").mkdir(parents=True)
    (glibc / "bits/mathcalls.h").write_text(NEWER_GLIBC)
    library.configure(CPLUS_INCLUDE_PATH=str(glibc), CUDAARCHS="75")
    library.build()


@pytest.mark.parametrize("way", ["CUDAFLAGS", "CMAKE_CUDA_FLAGS"])
def test_flags_for_nvcc_are_added_to_ours(way: str, library: Library) -> None:
    """To those for a newer glibc, too."""
    library.add(AXPY)
    flags = "-lineinfo --ptxas-options=-v"
    set_ours = 'set(CUVEC_HIDES_GLIBC ON CACHE INTERNAL "")'
    if way == "CUDAFLAGS":
        env, setting = {"CUDAFLAGS": flags}, set_ours
    else:  # as `cmake -D` does
        env, setting = {}, f'{set_ours}\nset(CMAKE_CUDA_FLAGS "{flags}" CACHE STRING "")'
    library.configure(setting=setting, CUDAARCHS="75", **env)
    assert "registers" in library.build()
    assert library.flags("axpy").startswith(flags)
    assert f"{ROOT}/runtime/cmake/glibc" in library.flags("axpy")


def test_settings_of_cmake_and_cargo(nvcc_tools: Environment, tmp_path: Path) -> None:
    """A generator of several configurations, a target and folders of the user's: with functions in both languages, and src/ in Rust."""
    source = scaffold(tmp_path / "work/mypkg", kernels="rust", bridge="pyo3")
    unpack(source)
    (source / "kernels/axpy.rs").unlink()
    shutil.copy(AXPY, source / "kernels")
    (tmp_path / "work/.cargo").mkdir()
    host = re.search(r"^host: (.*)$", run("rustc", "-vV"), re.MULTILINE)[1]
    (tmp_path / "work/.cargo/config.toml").write_text(
        f'[build]\ntarget = "{host}"\ntarget-dir = "{tmp_path}/target"\nbuild-dir = "{tmp_path}/intermediate"\n'
    )
    env = {"PATH": nvcc_tools.path, "CARGO_BUILD_TARGET": host, "CARGO_TARGET_DIR": str(tmp_path / "of-all")}
    cmake, folder = nvcc_tools.bin / "cmake", tmp_path / "build"
    nvcc_tools.cmake(source, folder, env={**env, "CMAKE_GENERATOR": "Ninja Multi-Config"}, CUDA="OFF", **WHEEL)
    run(cmake, "--build", folder, "--config", "Release", env=env)
    run(cmake, "--install", folder, "--config", "Release", "--prefix", tmp_path / "out/cuvec")
    installed = {path.name.partition(".")[0] for path in (tmp_path / "out").rglob("*.so")}
    assert installed == {"_core", "_functions", "ext"}


CRATE = """
cmake_minimum_required(VERSION 3.27...4.4)
project(flags LANGUAGES NONE)
include("{root}/runtime/cmake/Cargo.cmake")
cargo_command(command CRATE "${{CMAKE_SOURCE_DIR}}/crate" RENAMED "${{CMAKE_SOURCE_DIR}}/crate=here")
add_custom_target(flags ALL COMMAND ${{command}} VERBATIM)
"""


@pytest.mark.parametrize(
    ("config", "env", "seen"),
    [
        ("", {}, "neither"),
        ('[build]\nrustflags = "--cfg one"', {}, "one"),
        ('[build]\nrustflags = ["--cfg", "one"]', {}, "one"),
        ('[build]\nrustflags = ["--cfg", "two"]\n[target.HOST]\nrustflags = "--cfg one"', {}, "one"),
        ('[target."cfg(all())"]\nrustflags = ["--cfg", "one"]', {}, "one"),
        ('[build]\nrustflags = ["--cfg", "two"]', {"RUSTFLAGS": "--cfg one"}, "one"),
        ('[build]\nrustflags = ["--cfg", "two"]', {"CARGO_ENCODED_RUSTFLAGS": "--cfg\x1fone", "RUSTFLAGS": "x"}, "one"),
    ],
)
def test_flags_for_rustc(config: str, env: dict[str, str], seen: str, nvcc_tools: Environment, tmp_path: Path) -> None:
    """Cargo takes them from one place; the build adds its own there, which hide where it is."""
    source = tmp_path / "o'brian's"
    (source / "crate/.cargo").mkdir(parents=True)
    (source / "crate/src").mkdir()
    (source / "CMakeLists.txt").write_text(CRATE.format(root=ROOT))
    host = re.search(r"^host: (.*)$", run("rustc", "-vV"), re.MULTILINE)[1]
    (source / "crate/.cargo/config.toml").write_text(config.replace("HOST", host))
    (source / "crate/Cargo.toml").write_text('[package]\nname = "flags"\nedition = "2024"\n[workspace]\n')
    seen_here = 'pub fn place() -> &\'static str {{ "seen {}." }}\n'
    conditions = {"one": "one", "two": "two", "neither": "not(any(one, two))"}
    text = "".join(f"#[cfg({condition})]\n{seen_here.format(name)}" for name, condition in conditions.items())
    (source / "crate/src/lib.rs").write_text(text)
    nvcc_tools.cmake(source, tmp_path / "build", env=env)
    run("cmake", "--build", tmp_path / "build", env={**nvcc_tools.active, **env})
    (library,) = tmp_path.glob("build/cargo/*/release/libflags.rlib")
    compiled = library.read_bytes()
    assert re.findall(rb"seen (\w+)\.", compiled) == [seen.encode()]
    assert b"here" in compiled
    assert os.fsencode(source) not in compiled


BUILD_SCRIPT = """
use std::{env::var, process::Command};

fn main() {
    let folder = var("OUT_DIR").unwrap();
    let commands = "c++ $CXXFLAGS -fPIC -c part.cpp -o $OUT_DIR/part.o && ar rcs $OUT_DIR/libpart.a $OUT_DIR/part.o";
    assert!(Command::new("sh").args(["-c", commands]).status().unwrap().success());
    println!("cargo:rustc-link-search=native={folder}");
    println!("cargo:rustc-link-lib=static=part");
}
"""


def test_link_time_optimization_of_what_cargo_builds(nvcc_tools: Environment, tmp_path: Path) -> None:
    """As cxx builds C++, which rustc links: not all of its linkers read what GCC makes with -flto."""
    crate = tmp_path / "crate"
    (crate / "src").mkdir(parents=True)
    (tmp_path / "CMakeLists.txt").write_text(CRATE.format(root=ROOT))
    manifest = '[package]\nname = "flags"\nedition = "2024"\n[lib]\ncrate-type = ["cdylib"]\n[workspace]\n'
    (crate / "Cargo.toml").write_text(manifest)
    (crate / "build.rs").write_text(BUILD_SCRIPT)
    (crate / "part.cpp").write_text('extern "C" int part() { return 7; }\n')
    called = 'unsafe extern "C" { fn part() -> i32; }\n'
    (crate / "src/lib.rs").write_text(
        f'{called}#[unsafe(no_mangle)] extern "C" fn seven() -> i32 {{ unsafe {{ part() }} }}\n'
    )
    nvcc_tools.cmake(tmp_path, tmp_path / "build", env=LTO)
    run("cmake", "--build", tmp_path / "build", env={**nvcc_tools.active, **LTO})
    (library,) = tmp_path.glob("build/cargo/*/release/libflags.so")
    assert ctypes.CDLL(str(library), os.RTLD_NOW).seven() == 7
