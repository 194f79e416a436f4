"""Code that exists, docs/library: a package builds it with `kernel_sources` and `add_subdirectory`, and links it to functions and `src/`.

docs/fftw is code with OpenMP that calls FFTW.
"""

import re
import shutil
from pathlib import Path

import pytest
from environment import Environment, groups
from files import copied, replace
from generator import scaffold
from shell import ROOT

pytestmark = pytest.mark.night

LIBRARY = ROOT / "docs/library"
FFTW = ROOT / "docs/fftw"
IN_RUST = """unsafe extern "C" {
    safe fn pet_weight(i: i64) -> f64;
}

/// The weight that the library has.
#[pyfunction]
fn weight(i: i64) -> f64 {
    pet_weight(i)
}
"""


@pytest.fixture(scope="module")
def project(folder: Path) -> Path:
    """A package with the library, which the declared function calls, and `src/` in Rust."""
    package = scaffold(folder / "mypkg", bridge="pyo3", kernels="cu")
    shutil.copytree(LIBRARY, package, dirs_exist_ok=True)
    replace(package / "src/lib.rs", "use super::{", "use super::{weight, ")
    module = "/// Functions and classes written by hand."
    replace(package / "src/lib.rs", module, f"{IN_RUST}\n{module}")
    replace(package / "src/CMakeLists.txt", "BINDINGS cargo", "BINDINGS cargo LIBRARIES pet")
    return package


@pytest.fixture(scope="module")
def tools(project: Path) -> Environment:
    return Environment(project.parent / "python-3.13", "3.13", "numpy", *groups(project, "build", "test"))


def install(project: Path, tools: Environment, ok: bool = True, **env: str) -> str:
    """Builds it with warnings as errors; what the user has set for nvcc is added to what is ours."""
    return tools.install_package(project, "--verbose", ok=ok, CUDAFLAGS="-lineinfo", **env)


@pytest.mark.parametrize("cuda", ["ON", "OFF"])
def test_a_library_is_linked_to_functions_and_to_src(cuda: str, project: Path, tools: Environment) -> None:
    """With CUDA, its files for GPUs call each other (-rdc); without, nothing reads them."""
    output = install(project, tools, CUDA=cuda)
    assert ("The CUDA compiler identification is" in output) == (cuda == "ON")
    assert tools.pytest(project, tests=["tests/test_forward.py", "src"])["passed"] >= 2
    code = "from mypkg.ext import weight; print(weight(2))"
    assert tools.python("-c", code, cwd=project.parent) == "3.0\n"
    doctor = tools.python("-m", "mypkg.doctor", cwd=project.parent)
    assert re.search(r"^ok +libraries: all found: .*libpet\.so\.1", doctor, re.MULTILINE)


@pytest.mark.parametrize(
    ("file", "right", "wrong", "message"),
    [
        ("CMakeLists.txt", "LIBRARIES pet ", "INCLUDE extern/pet ", "undefined reference to `pet_weight'"),
        # With cargo, whose linker does not mind, and the import would.
        ("src/CMakeLists.txt", " LIBRARIES pet", "", "undefined symbol: pet_weight"),
        ("CMakeLists.txt", "lib/*.cpp", "lib/*.cxx", "kernel_sources: there is no file lib/*.cxx in"),
    ],
    ids=["a library of functions", "a library of src", "a file"],
)
def test_what_is_not_named_or_not_there_is_an_error_of_the_build(
    file: str, right: str, wrong: str, message: str, project: Path, tools: Environment, tmp_path: Path
) -> None:
    copy = copied(project, tmp_path / "mypkg")
    replace(copy / file, right, wrong)
    assert message in " ".join(install(copy, tools, ok=False, CUDA="OFF").split())


@pytest.mark.parametrize("cuda", ["ON", "OFF"])
def test_openmp_and_fftw(cuda: str, tools: Environment, tmp_path: Path) -> None:
    """Libraries of the system, as CMake and pkg-config find them."""
    if not Path("/usr/include/fftw3.h").exists():
        pytest.skip("libfftw3-dev is not installed")
    package = scaffold(tmp_path / "mypkg", kernels="cu")
    shutil.copytree(FFTW, package, dirs_exist_ok=True)
    install(package, tools, CUDA=cuda)
    assert tools.pytest(package, tests=["tests/test_power.py"])["passed"] == 3
    code = """
import numpy
from mypkg import power

power(numpy.ones((1, 1), complex))
maps = open("/proc/self/maps").read()
print("libgomp" in maps, "libfftw3" in maps)
"""
    assert tools.python("-c", code, cwd=tmp_path) == "True True\n"
