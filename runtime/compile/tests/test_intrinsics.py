"""Functions of CUDA's that bodies call are there without CUDA, and have the same values."""

import math
from pathlib import Path

from declarations import INCLUDE, run

VALUES = {
    "rsqrtf(4.0f)": 0.5,
    "rsqrt(16.0)": 0.25,
    "rcbrtf(8.0f)": 0.5,
    "rcbrt(27.0)": 1 / 3,
    "__expf(1)": math.e,
    "__exp10f(2.0f)": 100,
    "__logf(8.0f)": math.log(8),
    "__log2f(8.0f)": 3,
    "__log10f(1000.0f)": 3,
    "__sinf(1.0f)": math.sin(1),
    "__cosf(1.0f)": math.cos(1),
    "__tanf(1.0f)": math.tan(1),
    "__powf(2.0f, 0.5f)": math.sqrt(2),
    "__saturatef(-1.0f)": 0,
    "__saturatef(0.25f)": 0.25,
    "__saturatef(2.0f)": 1,
    "__saturatef(NAN)": 0,
    "__fdividef(1.0f, 8.0f)": 0.125,
    "__frcp_rn(4.0f)": 0.25,
    "__fsqrt_rn(2.25f)": 1.5,
    "__frsqrt_rn(4.0f)": 0.5,
    "__fadd_rn(1.0f, 2.0f)": 3,
    "__fmul_rn(3.0f, 2.0f)": 6,
    "__fmaf_rn(3.0f, 2.0f, 1.0f)": 7,
    "__fma_rn(3.0, 2.0, 1.0)": 7,
    "__float2int_rn(2.5f)": 2,
    "__float2int_rz(-2.7f)": -2,
    "__float2int_rd(-2.1f)": -3,
    "__float2int_ru(2.1f)": 3,
    "__int2float_rn(7)": 7,
    "__float_as_int(-2.0f)": -(1 << 30),
    "__float_as_uint(1.0f)": 0x3F800000,
    "__int_as_float(0x40000000)": 2,
    "__uint_as_float(0x3F800000u)": 1,
    "__double_as_longlong(1.0)": 0x3FF << 52,
    "__longlong_as_double(0x3FFll << 52)": 1,
    "__popc(0xF0F0u)": 8,
    "__popcll(~0ull)": 64,
    "__ffs(0)": 0,
    "__ffs(12)": 3,
    "__ffs(1 << 31)": 32,
    "__ffsll(1ll << 40)": 41,
    "__clz(0)": 32,
    "__clz(1)": 31,
    "__clz(-1)": 0,
    "__clzll(1)": 63,
    "__clzll(0)": 64,
    "min(2, 3) + max(2, 3)": 5,
}


def test_without_cuda_the_functions_of_cuda_have_its_values(tmp_path: Path) -> None:
    shown = "\n".join(f'  std::printf("%.17g\\n", double({call}));' for call in VALUES)
    (tmp_path / "calls.cpp").write_text(
        f"#include <cuvec.h>\n#include <cstdio>\n\nint main() {{\n{shown}\n}}\n"
    )
    flags = ("-std=c++17", "-Wall", "-Wextra", "-Werror", "-isystem", INCLUDE)
    run("g++", *flags, tmp_path / "calls.cpp", "-o", tmp_path / "calls")
    values = [float(line) for line in run(tmp_path / "calls").splitlines()]
    for (call, expected), value in zip(VALUES.items(), values, strict=True):
        assert math.isclose(value, expected, rel_tol=1e-6), call


def test_without_cuda_half_is_a_name_of_the_owner(tmp_path: Path) -> None:
    """The type of 16 bits is `float16` here; `half` is the one of `cuda_fp16.h`, or whatever a file calls so."""
    body = "struct half { float x; };\nusing namespace cuvec;\nstatic_assert(sizeof(half) == 4 && sizeof(float16) == 2);\n"
    (tmp_path / "half.cpp").write_text(f"#include <cuvec.h>\n{body}")
    run("g++", "-std=c++17", "-fsyntax-only", "-I", INCLUDE, tmp_path / "half.cpp")
