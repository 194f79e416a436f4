"""Functions in CUDA C++, built alone: for debuggers, with other standards of C++, and with curand."""

import re
from pathlib import Path

import pytest
from environment import Environment
from functions_alone import CONFORMANCE, NO_TOOLKIT, Library
from shell import ROOT

pytestmark = pytest.mark.night

ONE_GPU = {"CUDAARCHS": "80-real"}


@pytest.mark.parametrize(("setting", "flag"), [("lineinfo", "-lineinfo"), ("full", "-G")])
def test_what_profilers_and_debuggers_read(setting: str, flag: str, library: Library) -> None:
    """No optimization is lost for line numbers."""
    library.add("axpy")
    library.configure(setting=f"set(DEBUG_KERNELS {setting})", **ONE_GPU)
    library.build()
    assert {"-lineinfo", "-G"} & {*library.flags("axpy").split()} == {flag}


def test_rows_of_many_instructions_stay_in_registers(library: Library) -> None:
    """Where a compiler gives up and calls what a body does, its rows are in memory: some seven times as slow on a GPU."""
    library.add(ROOT / "bench/kernels/cu/layer_norm_bwd.cu")
    library.configure(NVCC_APPEND_FLAGS="-Xptxas=-v", **ONE_GPU)
    said = library.build()
    stacks = [int(size) for size in re.findall(r"(\d+) bytes stack frame", said)]
    assert len(stacks) == 10, said  # five kernels of two dtypes, and no function that they call
    assert max(stacks) < 256


def test_another_setting(library: Library) -> None:
    said = library.configure(ok=False, cuda="OFF", setting="set(DEBUG_KERNELS all)")
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
def test_the_standard(cuda: str, setting: str, function: str, others: tuple[str, ...], library: Library) -> None:
    """C++17, as all packages are built with, and what CMAKE_CXX_STANDARD says, which CUDA C++ has too."""
    library.add(*others)
    (library.kernels / "same.cu").write_text(function)
    library.configure(setting=setting, cuda=cuda, **ONE_GPU)
    library.build()


@pytest.mark.parametrize("variable", ["CMAKE_CXX_STANDARD", "CMAKE_CUDA_STANDARD"])
def test_a_standard_that_is_too_old(variable: str, library: Library) -> None:
    library.add("axpy")
    said = library.configure(ok=False, cuda="OFF", setting=f"set({variable} 14)")
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
    given = {"KERNELS": str(CONFORMANCE.parent / kernels), "CMAKE_PROJECT_INCLUDE": str(tmp_path / "targets.cmake")}
    said = nvcc_tools.cmake(ROOT / "runtime", tmp_path / "build", env=NO_TOOLKIT, CUDA="OFF", **given)
    (targets,) = re.findall(r"targets: (.*)", said)
    assert [name for name in targets.split(";") if not name.startswith("cuvec_")] == []


def test_nvcc_finds_the_headers_of_curand(tmp_path: Path) -> None:
    """Which are a word of the build's requirements, as docs/how-to/random-numbers.md says."""
    page = (ROOT / "docs/how-to/random-numbers.md").read_text()
    (requirement,) = re.findall(r"`(cuda-toolkit.*)`", page)
    library = Library(Environment(tmp_path / "venv", "3.11", "cmake>=3.27", "ninja", requirement), tmp_path)
    library.add(ROOT / "docs/kernels/cu/uniform.cu")
    library.configure(**ONE_GPU)
    library.build()
