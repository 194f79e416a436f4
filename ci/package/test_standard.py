"""Functions are compiled with C++17, and with what CMAKE_CXX_STANDARD says, which CUDA C++ has too."""

from __future__ import annotations

from pathlib import Path

import pytest
from environment import Environment
from functions_alone import build, configure
from shell import ROOT

KERNELS = ROOT / "runtime/tests/kernels/cu"
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
OF_20 = {
    "includes": "#include <concepts>\ntemplate <std::floating_point T> __host__ __device__ T one(T x) { return x; }\n",
    "body": "y = one(x);",
}


@pytest.mark.parametrize(
    ("cuda", "setting", "function"),
    [
        ("ON", "", FUNCTION.format(year=2017, includes="", body="y = x;")),
        ("ON", "set(CMAKE_CXX_STANDARD 20)", FUNCTION.format(year=2020, **OF_20)),
        ("ON", "set(CMAKE_CUDA_STANDARD 20)", FUNCTION.format(year=2020, **OF_20)),
        ("OFF", "set(CMAKE_CXX_STANDARD 20)", FUNCTION.format(year=2020, **OF_20)),
    ],
    ids=["17", "C++ 20", "CUDA C++ 20", "C++ 20 without CUDA"],
)
def test_the_standard(cuda: str, setting: str, function: str, nvcc_tools: Environment, tmp_path: Path) -> None:
    """With all warnings as errors, in the headers too: `reduce_rows` and `nonzero` have most of them."""
    kernels = tmp_path / "kernels"
    kernels.mkdir()
    (kernels / "same.cu").write_text(function)
    for name in ("nonzero", "reduce_rows"):
        (kernels / f"{name}.cu").write_text((KERNELS / f"{name}.cu").read_text())
    configure(nvcc_tools, tmp_path, setting=setting, cuda=cuda, CUDAARCHS="80-real")
    build(nvcc_tools, tmp_path, CUDAARCHS="80-real")
