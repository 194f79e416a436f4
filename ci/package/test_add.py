"""Files of `cuvec-new add` build without a warning, and pass their own tests and the checks of packages, unmodified."""

import re
import shutil
from collections.abc import Callable
from pathlib import Path

import pytest
from environment import ARCHITECTURE, DEVELOPMENT, WHEEL, Environment, groups, passed_by_file
from files import copied, replace
from framework_types import write_types
from generator import EXECUTABLE, unpack
from pins import pin
from random_declarations import declarations
from shell import ROOT, run

pytestmark = pytest.mark.night

DERIVATIVES = [
    ["product", "(...),(...)->(...)"],
    ["narrow<S: float32, complex64, D: float32, float64>(x: S(n), *, dtype: dtype(D)) -> y: D(n), z: real(S)(n)"],
    [
        "rows<T: float32, bfloat16>(x: T(...,n), w: T(n), index: int32(n), a: T, *, b: T = 1) -> y: T(...,n), count: int64, s: saved T(...)"
    ],
    [
        "affine_of<T: float64>(a: T, x: T(...,n), how: {'sum', 'max'}, w: T[2], scale: T(n)?, bias: T(n)? = None, side: {'left', 'both'} = 'both', *, by: int8[1] = (1,)) -> y: T(...,n)"
    ],
]
SHAPES = [
    ["gemv", "(m,n),(n)->(m)", "--dtypes", "f32,f64"],
    ["total", "(n)->()"],
    ["choose", "(...),(...),(...)->(...)", "--dtypes", "i32,bool,complex64,f16"],
    ["exp", "(...)->(...)", "--dtypes", "f32,f64"],
]
PARTICLE = "--struct=Particle(pos: float32(3), energy: float32, id: int32)"
GRID = "--struct=Grid3(spacing: float64(3), rotation: float32(2,2), periodic: uint8, size: int64, phase: complex64)"
STRUCTS = [
    ["push(p: inout Particle(...), dt: float32)", PARTICLE],
    ["spawn(energy: float32(n), grid: Grid3) -> p: Particle(n)", PARTICLE, GRID],
    [
        "measure(p: Particle(n)?, x: float32(n), grid: Grid3, *, scale: float64 = 1) -> energy: float64(n), q: Particle(2*n)",
        PARTICLE,
        GRID,
    ],
    ["tell(p: Particle(n), grid: Grid3)", PARTICLE, GRID],
]
DECLARATIONS = Path(__file__).parents[2] / "tests/add/declarations.txt"
RANDOM = declarations(68)
FUNCTIONS = [
    *([*it, "--derivative"] for it in DERIVATIVES),
    *SHAPES,
    *STRUCTS,
    *([line] for line in [*DECLARATIONS.read_text().splitlines(), *RANDOM]),
]
NAMES = [re.match(r"\w+", function[0])[0] for function in FUNCTIONS]
BACKWARD = [f"{name}_bwd" for name in NAMES[: len(DERIVATIVES)]]
# Those that are compiled for GPUs, which takes seconds for each: a thing that a declaration may say is in one of them. For the CPU
# all are. Four are called like functions of C.
FOR_GPUS = {"gemv", "total", "choose", "axpby", "iota", "pieces", "fill", "gather", "either", "many", "log", "printf"}
FOR_GPUS |= {"spots", "exp", "div", "measure", "quantize", "norms", "rows", "rows_bwd", "shift", "activate", "reduce"}
FOR_GPUS |= {"affine_of"}


@pytest.fixture(scope="module")
def added(work: Path, package: Path) -> Path:
    """A copy with one more function of each form."""
    folder = copied(package, work / "added" / "mypkg")
    shutil.rmtree(folder / "src")  # which others build
    for arguments in FUNCTIONS:
        run(EXECUTABLE, "add", "--quiet", "--package", folder, *arguments)
    return folder


@pytest.fixture(scope="module")
def few(work: Path, added: Path) -> Path:
    """A copy with those that are compiled for GPUs."""
    folder = copied(added, work / "few" / "mypkg")
    unpack(folder)
    for file in folder.glob("kernels/*"):
        if file.stem in {*NAMES, *BACKWARD} - FOR_GPUS:
            file.unlink()
    assert {path.stem for path in folder.glob("kernels/*.[cr][us]")} >= {"axpy", "dot", *FOR_GPUS}
    return folder


@pytest.fixture(scope="module")
def built(work: Path, added: Path, build_tools: Environment) -> Environment:
    """All of them, for the CPU."""
    environment = Environment(work / "added" / "python-3.11", "3.11", "--requirement", ROOT / "ci/adapters.txt")
    environment.install("numpy", "ml_dtypes", pin("mypy"), *groups(added, "test"))
    env = {"PATH": build_tools.path, "CUDA": "OFF"}
    wheel = build_tools.wheel(added, work / "added" / "wheel", "--no-build-isolation", env=env)
    environment.pip("install", "--quiet", "--no-deps", wheel)
    return environment


def test_formatters_and_linters(added: Path) -> None:
    # Not of the random ones, whose names are longer than lines can be broken for.
    named = {*NAMES[: -len(RANDOM)], *BACKWARD}
    if sources := [source for source in sorted(added.glob("kernels/*.cu")) if source.stem in named]:
        run("clang-format", "--dry-run", "-Werror", *sources)
    else:
        run("rustfmt", "--edition", "2024", "--check", *sorted(added.glob("kernels/*.rs")))
    run("ruff", "check", "--no-cache", added)
    run("ruff", "format", "--check", "--no-cache", added)


def test_clippy(few: Path) -> None:
    if not list(few.glob("kernels/*.rs")):
        pytest.skip("no kernels in Rust")
    env = {"KERNELS": str(few / "kernels"), "KERNELS_IMAGES": "none"}
    command = ("cargo", "clippy", "--locked", "--package=kernels", "--", "-D", "warnings")
    run(*command, cwd=few, env=env)


# All names of the runtime and of CUDA: `half` is one.
HALVES = """\
#include <cub/cub.cuh>
#include <cuda_fp16.h>
#include <cuvec.h>

using namespace cuvec;

struct halves {
  static constexpr auto signature = "halves(x: inout float16(...))";
  static constexpr auto doc = "Each element times two, as CUDA's own half.";

  static __host__ __device__ void each(float16 &x) {
    half own = __float2half(float(x));
    x = float16(__half2float(own) * 2.0f);
  }
};
CUVEC_EXPORT(halves);
"""


def test_they_compile_for_gpus(few: Path, kernels: str, build_tools: Environment, tmp_path: Path) -> None:
    if kernels == "cu":
        (few / "kernels/halves.cu").write_text(HALVES)
    given = {**WHEEL, "STRICT": "ON", "CMAKE_CUDA_ARCHITECTURES": ARCHITECTURE}
    build_tools.cmake(few, tmp_path / "build", env=DEVELOPMENT, **given)
    run("ninja", "-C", tmp_path / "build", "cuvec_functions", env={**build_tools.active, **DEVELOPMENT})


def test_stubs_pass_their_tests(work: Path, added: Path, built: Environment) -> None:
    report, tests = work / "added.xml", [f"tests/test_{name}.py" for name in NAMES]
    assert set(built.pytest(added, f"--junit-xml={report}", tests=tests)) == {"passed"}
    passed = passed_by_file(report)
    assert [name for name in NAMES if not passed[f"test_{name}"]] == []


def test_derivatives_of_stubs_agree_with_finite_differences(work: Path, added: Path, built: Environment) -> None:
    report, tests = work / "derivatives.xml", [f"tests/test_{name}.py" for name in BACKWARD]
    assert set(built.pytest(added, f"--junit-xml={report}", tests=tests)) == {"passed", "skipped"}
    passed = passed_by_file(report)
    assert [name for name in BACKWARD if not passed[f"test_{name}"]] == []


def test_mypy(mypy: Callable[[Path, Environment], str], added: Path, built: Environment) -> None:
    mypy(added, built)


TYPED = """
from typing import assert_type

import dask.array
import jax
import jax.numpy as jnp
import mypkg.jax
import mypkg.torch
import numpy as np
from mypkg import cuvec, gemv, norms
from torch import Tensor


class Own:
    pass


assert_type(gemv(Tensor(), Tensor()), Tensor)
assert_type(gemv(Tensor(), np.ones(3)), Tensor)
assert_type(gemv(np.ones((2, 3)), Tensor()), Tensor)
assert_type(gemv(Tensor(), jnp.ones(3)), Tensor)
assert_type(norms(np.ones((2, 3)), weight=Tensor()).y, Tensor)
assert_type(gemv(jnp.ones((2, 3)), jnp.ones(3)), jax.Array)
assert_type(gemv(np.ones((2, 3)), np.ones(3)), cuvec.CuVec)
assert_type(gemv(cuvec.ones((2, 3)), [1, 2, 3]), cuvec.CuVec)
assert_type(gemv(Tensor(), Tensor(), out=Own()), Own)
assert_type(gemv(np.ones((2, 3)), np.ones(3), out=Tensor()), Tensor)
assert_type(norms(Tensor(), Tensor()).scales, Tensor)
assert_type(norms(np.ones((2, 3)), np.ones(3)).y, cuvec.CuVec)
assert_type(mypkg.torch.gemv(Tensor(), Tensor()), Tensor)
assert_type(mypkg.torch.gemv(Tensor(), Tensor(), out=Tensor()), Tensor)
assert_type(mypkg.torch.norms(Tensor(), Tensor()).scales, Tensor)
assert_type(mypkg.jax.gemv(np.ones((2, 3)), jnp.ones(3)), jax.Array)


def lazy(a: dask.array.Array) -> None:  # functions that make some are not typed
    assert_type(gemv(a, np.ones(3)), dask.array.Array)
"""


def test_types_of_results(mypy: Callable[..., str], built: Environment, tmp_path: Path) -> None:
    """They are the library's whose arrays are given, or those that are given for them."""
    program, wrong = tmp_path / "program.py", tmp_path / "wrong.py"
    program.write_text(TYPED)
    write_types(tmp_path, "torch")
    mypy(tmp_path, built, program)
    mistakes = {
        "jax.Array": "cuvec.CuVec",
        "out=Own()": "out=Tensor()",
        "mypkg.torch.gemv(Tensor(), Tensor())": "mypkg.torch.gemv(Tensor(), np.ones(3))",
    }
    text = TYPED
    for right, mistake in mistakes.items():
        text = text.replace(right, mistake)
    wrong.write_text(text)
    assert "Found 4 errors" in mypy(tmp_path, built, wrong, ok=False)


def test_a_kernel_that_is_not_written_fails_the_test_that_is(added: Path, built: Environment) -> None:
    test, stub, written = added / "tests/test_gemv.py", "expected = np.zeros((m,), dtype)", "expected = a @ x"
    replace(test, stub, written)
    try:
        shown = built.python("-m", "pytest", "-p", "no:cacheprovider", test, cwd=built.bin, ok=False)
    finally:
        replace(test, written, stub)
    assert "6 failed" in shown


def test_each_kernel_language_has_its_stubs(added: Path, kernels: str) -> None:
    ending = {"cu": "cu", "rust": "rs"}[kernels]
    assert {path.stem for path in added.glob(f"kernels/*.{ending}")} == {"axpy", "dot", *NAMES, *BACKWARD}
