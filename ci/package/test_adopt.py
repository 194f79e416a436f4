"""`cuvec-new adopt`: what it writes of sources in C++ and CUDA builds before any edit, with and without CUDA."""

import re
from pathlib import Path

import pytest
from environment import Environment, groups
from generator import EXECUTABLE, scaffold
from shell import run

pytestmark = pytest.mark.night

SOURCES = {
    "lib/ops.h": """#pragma once
#include <cuda_runtime.h>

typedef float real;
__device__ inline real half_of(real x) { return 0.5f * x; }
""",
    "lib/ops.cu": """#include "ops.h"

__global__ void blur(const real *x, real *y, int rows, int cols) {
  int col = blockIdx.x * blockDim.x + threadIdx.x;
  int row = blockIdx.y * blockDim.y + threadIdx.y;
  if (row >= rows || col >= cols) return;
  y[row * cols + col] = half_of(x[row * cols + col] + x[row * cols + (col + 1) % cols]);
}

extern "C" __global__ void __launch_bounds__(256) vecAdd(double *a, const double *__restrict__ b, long long n) {
  for (long long i = threadIdx.x + blockIdx.x * blockDim.x; i < n; i += gridDim.x * blockDim.x) a[i] += b[i];
}

namespace physics {
__global__ void push(float3 *points, float3 by, unsigned char *mask, long long *ids) {
  extern __shared__ float cache[];
  points[threadIdx.x].x += by.x;
}
}  // namespace physics

cudaError_t blur_twice(const real *x, real *y, int rows, int cols, cudaStream_t stream) {
  dim3 threads(16, 16), blocks((cols + 15) / 16, (rows + 15) / 16);
  blur<<<blocks, threads, 0, stream>>>(x, y, rows, cols);
  blur<<<blocks, threads, 0, stream>>>(x, y, rows, cols);
  return cudaGetLastError();
}

int count(const int *flags, size_t n) { return flags != nullptr && n > 0 ? 1 : 0; }
""",
    "lib/scale.cuh": """#pragma once

template <class T> __global__ void scale(T *x, T by, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n) x[i] *= by;
}
""",
    "lib/norm.cpp": """#include <cmath>
#include <cstddef>

double norm(const double *x, std::size_t n) {
  double sum = 0;
  for (std::size_t i = 0; i < n; ++i) sum += x[i] * x[i];
  return std::sqrt(sum);
}
""",
    "lib/sum.c": """float cumulate(float *values, int count) {
  int i;
  for (i = 1; i < count; ++i) values[i] += values[i - 1];
  return values[count - 1];
}
""",
    "lib/fill.c": """void fill(float *x, short n) {
  for (short i = 0; i < n; ++i) x[i] = 1;
}
""",
}
ADOPTED = ("blur", "vec_add", "push", "blur_twice", "count", "scale", "norm", "cumulate", "fill")
ON_THE_CPU = """
import numpy as np
from mypkg import blur, cumulate, fill, norm
assert norm(np.array([3.0, 4.0])) == 5
values = np.ones(4, "float32")
assert cumulate(values) == 4 and values.tolist() == [1, 2, 3, 4]
x = np.zeros(40_000, "float32")
try:
    fill(x)
    raise AssertionError("cut to fewer bits")
except ValueError as error:
    assert "a size of 40000 is more than 32767" in str(error), error
fill(x[:9])
assert x.sum() == 9
try:
    blur(np.ones(12, "float32"), np.zeros((3, 4), "float32"))
except RuntimeError as error:
    print(error)
"""


@pytest.fixture(scope="module")
def project(folder: Path) -> Path:
    package = scaffold(folder / "mypkg", kernels="cu")
    for path, text in SOURCES.items():
        (package / path).parent.mkdir(exist_ok=True)
        (package / path).write_text(text)
    run(EXECUTABLE, "adopt", *(path for path in SOURCES if path != "lib/ops.h"), cwd=package)
    return package


@pytest.mark.parametrize("cuda", ["ON", "OFF"])
def test_it_builds_as_it_was_written(cuda: str, project: Path, tmp_path: Path) -> None:
    """With warnings as errors: nvcc compiles all, and without it what is left works."""
    tools = Environment(tmp_path / "python-3.13", "3.13", "numpy", *groups(project, "build"))
    output = tools.install_package(project, "--verbose", CUDA=cuda)
    assert re.search(r"kernels/push\.cu: [1-9] marks `// adopt:`", output), "marks that nobody settled are told"
    names = tools.python("-c", "import mypkg; print(*mypkg.__all__)", cwd=tmp_path)
    assert {*ADOPTED} <= {*names.split()}
    error = tools.python("-c", ON_THE_CPU, cwd=tmp_path, env={"CUVEC_DEVICE": "cpu"})
    assert error == "blur(): it has no code for the CPU, and needs a GPU\n"
