"""histogram(x, bins=64, *, low=0, high=1) -> counts."""

import numpy as np
from numba import cuda
from numba.cuda import float32, int32, int64


@cuda.jit
def count(x, low, high, counts):
    mine = cuda.shared.array(0, int32)
    bins = counts.size
    for b in range(cuda.threadIdx.x, bins, cuda.blockDim.x):
        mine[b] = 0
    cuda.syncthreads()
    for i in range(cuda.grid(1), x.size, cuda.gridsize(1)):
        if low <= x[i] <= high:
            b = int64((x[i] - low) / (high - low) * float32(bins))
            cuda.atomic.add(mine, min(b, bins - 1), 1)
    cuda.syncthreads()
    for b in range(cuda.threadIdx.x, bins, cuda.blockDim.x):
        cuda.atomic.add(counts, b, int64(mine[b]))


def histogram(x, bins=64, *, low=0, high=1):
    if bins > 12288:
        raise ValueError("bins can be at most 12288")
    counts = cuda.to_device(np.zeros(bins, "int64"))
    count[1024, 256, 0, 4 * bins](x, np.float32(low), np.float32(high), counts)
    return counts
