"""Functions in CUDA C++, built alone: for debuggers, with other standards of C++, and with curand."""

import re
import shutil
from pathlib import Path

import pytest
from environment import Environment
from functions_alone import build, configure, environment
from shell import ROOT, run

pytestmark = pytest.mark.night

KERNELS = ROOT / "tests/conformance/kernels/cu"
ONE_GPU = {"CUDAARCHS": "80-real"}


@pytest.fixture
def add(tmp_path: Path):
    """Adds functions of the conformance tests to `tmp_path`/kernels."""
    (tmp_path / "kernels").mkdir()
    return lambda *names: [shutil.copy(KERNELS / f"{name}.cu", tmp_path / "kernels") for name in names]


@pytest.mark.parametrize(("setting", "flag"), [("lineinfo", "-lineinfo"), ("full", "-G")])
def test_what_profilers_and_debuggers_read(
    setting: str, flag: str, add, nvcc_tools: Environment, tmp_path: Path
) -> None:
    """No optimization is lost for line numbers."""
    add("axpy")
    configure(nvcc_tools, tmp_path, setting=f"set(DEBUG_KERNELS {setting})", **ONE_GPU)
    build(nvcc_tools, tmp_path, **ONE_GPU)
    rules = (tmp_path / "build/build.ninja").read_text()
    (flags,) = re.findall(r"axpy\.cu\.o: .*\n(?:  .*\n)*?  FLAGS = (.*)", rules)
    assert {"-lineinfo", "-G"} & {*flags.split()} == {flag}


def test_rows_of_many_instructions_stay_in_registers(nvcc_tools: Environment, tmp_path: Path) -> None:
    """Where a compiler gives up and calls what a body does, its rows are in memory: some seven times as slow on a GPU."""
    (tmp_path / "kernels").mkdir()
    shutil.copy(ROOT / "bench/kernels/cu/layer_norm_bwd.cu", tmp_path / "kernels")
    flags = {**ONE_GPU, "NVCC_APPEND_FLAGS": "-Xptxas=-v"}
    configure(nvcc_tools, tmp_path, **flags)
    said = build(nvcc_tools, tmp_path, **flags)
    stacks = [int(size) for size in re.findall(r"(\d+) bytes stack frame", said)]
    assert len(stacks) == 10, said  # five kernels of two dtypes, and no function that they call
    assert max(stacks) < 256


def test_another_setting(nvcc_tools: Environment, tmp_path: Path) -> None:
    said = configure(nvcc_tools, tmp_path, ok=False, cuda="OFF", setting="set(DEBUG_KERNELS all)")
    assert "DEBUG_KERNELS is `all`, but must be none, lineinfo or full" in said


FUNCTION = """#include <cuvec.h>
{includes}
static_assert(__cplusplus / 100 == {year});

struct same {{
  static constexpr auto signature = "same<T: float32, float64>(x: T(...)) -> y: T(...)";
  static constexpr auto doc = "Return what it is given.";

  template <class T> static __host__ __device__ void each(T x, T &y) {{ {body} }}
}};
CUVEC_EXPORT(same);
"""
OF_17 = FUNCTION.format(year=2017, includes="", body="y = x;")
OF_20 = FUNCTION.format(
    year=2020,
    includes="#include <concepts>\ntemplate <std::floating_point T> __host__ __device__ T one(T x) { return x; }\n",
    body="y = one(x);",
)
MOST = ("nonzero", "reduce_rows")  # their headers have most of the warnings, which are errors


@pytest.mark.parametrize(
    ("cuda", "setting", "function", "others"),
    [
        ("ON", "", OF_17, ()),
        ("ON", "set(CMAKE_CXX_STANDARD 20)", OF_20, MOST),
        ("ON", "set(CMAKE_CUDA_STANDARD 20)", OF_20, ()),
        ("OFF", "set(CMAKE_CXX_STANDARD 20)", OF_20, MOST),
    ],
    ids=["17", "C++ 20", "CUDA C++ 20", "C++ 20 without CUDA"],
)
def test_the_standard(
    cuda: str, setting: str, function: str, others: tuple[str, ...], add, nvcc_tools: Environment, tmp_path: Path
) -> None:
    """C++17, as all packages are built with, and what CMAKE_CXX_STANDARD says, which CUDA C++ has too."""
    add(*others)
    (tmp_path / "kernels/same.cu").write_text(function)
    configure(nvcc_tools, tmp_path, setting=setting, cuda=cuda, **ONE_GPU)
    build(nvcc_tools, tmp_path, **ONE_GPU)


@pytest.mark.parametrize("variable", ["CMAKE_CXX_STANDARD", "CMAKE_CUDA_STANDARD"])
def test_a_standard_that_is_too_old(variable: str, add, nvcc_tools: Environment, tmp_path: Path) -> None:
    add("axpy")
    said = configure(nvcc_tools, tmp_path, ok=False, cuda="OFF", setting=f"set({variable} 14)")
    assert f"{variable} is 14, but functions are C++17 or later. Set it to 17, 20 or 23" in said


TARGETS = """
function(tell_targets)
  get_property(targets DIRECTORY PROPERTY BUILDSYSTEM_TARGETS)
  message(STATUS "targets: ${targets}")
endfunction()
cmake_language(DEFER CALL tell_targets)
"""


@pytest.mark.parametrize("kernels", ["cu", "rust"])
def test_a_module_of_src_may_have_any_name(kernels: str, nvcc_tools: Environment, tmp_path: Path) -> None:
    """Targets of CMake have names of their own, so that `_core`, as in scikit-build-core's template, is none of ours."""
    (tmp_path / "targets.cmake").write_text(TARGETS)
    given = {"CUDA": "OFF", "KERNELS": KERNELS.parent / kernels, "CMAKE_PROJECT_INCLUDE": tmp_path / "targets.cmake"}
    command = ["cmake", "-G", "Ninja", "-S", ROOT / "runtime", "-B", tmp_path / "build"]
    said = run(*command, *(f"-D{name}={value}" for name, value in given.items()), env=environment(nvcc_tools))
    (targets,) = re.findall(r"targets: (.*)", said)
    assert [name for name in targets.split(";") if not name.startswith("cuvec_")] == []


def test_nvcc_finds_the_headers_of_curand(add, tmp_path: Path) -> None:
    """Which are a word of the build's requirements, as docs/how-to/random-numbers.md says."""
    page = (ROOT / "docs/how-to/random-numbers.md").read_text()
    (requirement,) = re.findall(r"`(cuda-toolkit.*)`", page)
    tools = Environment(tmp_path / "venv", "3.11", "cmake>=3.27", "ninja", requirement)
    add()
    shutil.copy(ROOT / "docs/kernels/cu/uniform.cu", tmp_path / "kernels")
    configure(tools, tmp_path, **ONE_GPU)
    build(tools, tmp_path, **ONE_GPU)
