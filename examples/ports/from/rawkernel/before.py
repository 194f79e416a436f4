"""How well two pictures lie on each other: a kernel as text, with the arrays of CuPy (PyCUDA's SourceModule is alike).

    python before.py

Checked: nothing. Arrays of float64, of another length or with gaps between their elements give wrong counts.
"""

import cupy
import numpy as np

from ports.programs import registration, run

KERNEL = cupy.RawKernel(
    r"""
extern "C" __global__ void joint_histogram(const float *a, const float *b, long long n, int bins,
                                           unsigned long long *counts) {
  const long long threads = (long long)gridDim.x * blockDim.x;
  for (long long k = (long long)blockIdx.x * blockDim.x + threadIdx.x; k < n; k += threads) {
    if (a[k] >= 0 && a[k] <= 1 && b[k] >= 0 && b[k] <= 1) {
      const int i = min(int(a[k] * bins), bins - 1), j = min(int(b[k] * bins), bins - 1);
      atomicAdd(&counts[i * bins + j], 1ULL);
    }
  }
}
""",
    "joint_histogram",
)

arrays = cupy.asarray  # on the GPU


def joint_histogram(a, b, bins=64):
    counts = cupy.zeros((bins, bins), "uint64")
    KERNEL((1024,), (256,), (a, b, np.int64(a.size), np.int32(bins), counts))
    return counts.get()


if __name__ == "__main__":
    run(registration, joint_histogram, arrays)
