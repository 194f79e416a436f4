"""Measures what NVRTC takes to compile kernels for one GPU, without a GPU: nvrtc.py [TIMES]

It takes NVRTC 12 and the headers from PyPI:
  pip install nvidia-cuda-nvrtc-cu12==12.9.86 nvidia-cuda-runtime-cu12==12.9.79 nvidia-cuda-cccl-cu12==12.9.27
"""

from __future__ import annotations

import ctypes
import statistics
import sys
import time
from pathlib import Path

import nvidia

ROOT = Path(__file__).resolve().parents[1]
(TOOLKIT,) = map(Path, nvidia.__path__)
INCLUDES = [*TOOLKIT.glob("*/include"), ROOT / "runtime/include"]
NVRTC = ctypes.CDLL(str(TOOLKIT / "cuda_nvrtc/lib/libnvrtc.so.12"))


def sums(include: str, element: str, value: str) -> str:
    """A kernel that adds up the values of elements, a block's by CUB."""
    return f"""
#include <cub/block/block_reduce.cuh>
{include}extern "C" __global__ void sums(const {element} *x, float *y, int n) {{
  using Reduce = cub::BlockReduce<float, 256>;
  __shared__ typename Reduce::TempStorage storage;
  int i = blockIdx.x * 256 + threadIdx.x;
  float sum = Reduce(storage).Sum(i < n ? {value} : 0);
  if (threadIdx.x == 0) y[blockIdx.x] = sum;
}}"""


SOURCES = {
    "float32": 'extern "C" __global__ void scale(float *x, int n) { int i = blockIdx.x * blockDim.x + threadIdx.x; if (i < n) x[i] *= 2; }',
    "bfloat16": """
#include <cuda_bf16.h>
extern "C" __global__ void scale(__nv_bfloat16 *x, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n) x[i] = __float2bfloat16(2 * __bfloat162float(x[i]));
}""",
    "CUB": sums("", "float", "x[i]"),
    "bfloat16 and CUB": sums("#include <cuda_bf16.h>\n", "__nv_bfloat16", "__bfloat162float(x[i])"),
    "cuvec.h": (ROOT / "tests/conformance/kernels/cu/axpy.cu").read_text(),
}


def compiled(source: str) -> tuple[float, str]:
    """Seconds of a core, and the first error."""
    options = [b"--gpu-architecture=sm_90", b"--std=c++17", *(f"--include-path={it}".encode() for it in INCLUDES)]
    program = ctypes.c_void_p()
    start = time.process_time()
    NVRTC.nvrtcCreateProgram(ctypes.byref(program), source.encode(), b"kernel.cu", 0, None, None)
    failed = NVRTC.nvrtcCompileProgram(program, len(options), (ctypes.c_char_p * len(options))(*options))
    seconds = time.process_time() - start
    return seconds, first_error(program) if failed else ""


def first_error(program: ctypes.c_void_p) -> str:
    size = ctypes.c_size_t()
    NVRTC.nvrtcGetProgramLogSize(program, ctypes.byref(size))
    log = ctypes.create_string_buffer(size.value)
    NVRTC.nvrtcGetProgramLog(program, log)
    line = next(line for line in log.value.decode().splitlines() if "error" in line)
    return line.replace(f"{ROOT}/", "")


def main(times: int) -> None:
    version = [ctypes.c_int(), ctypes.c_int()]
    NVRTC.nvrtcVersion(*map(ctypes.byref, version))
    print(f"NVRTC {version[0].value}.{version[1].value}, sm_90, seconds of a core, median of {times}")
    for name, source in SOURCES.items():
        results = [compiled(source) for _ in range(times)]
        seconds = statistics.median(seconds for seconds, _ in results)
        print(f"{name:17} {seconds:.2f} {results[0][1]}".rstrip())


if __name__ == "__main__":
    main(int(sys.argv[1]) if len(sys.argv) > 1 else 5)
