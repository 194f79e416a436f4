"""top_k(x, k) -> (values, indices) of the k largest elements of each row."""

import numpy as np
from numba import cuda
from numba.cuda import float64, int64

THREADS = 256


@cuda.jit
def before(value, index, other, at):
    return value > other or (value == other and index < at)


@cuda.jit
def top_k_row(x, values, indices):
    """A block for each row finds one element after the other."""
    best, where = cuda.shared.array(THREADS, float64), cuda.shared.array(THREADS, int64)
    row, t = cuda.blockIdx.x, cuda.threadIdx.x
    last, after = np.inf, -1
    for k in range(values.shape[1]):
        value, index = -np.inf, x.shape[1]
        for i in range(t, x.shape[1], THREADS):
            here = float64(x[row, i])
            if before(last, after, here, i) and before(here, i, value, index):
                value, index = here, i
        best[t], where[t] = value, index
        half = THREADS // 2
        while half > 0:
            cuda.syncthreads()
            if t < half and before(best[t + half], where[t + half], best[t], where[t]):
                best[t], where[t] = best[t + half], where[t + half]
            half //= 2
        cuda.syncthreads()
        last, after = best[0], where[0]
        cuda.syncthreads()
        if t == 0:
            values[row, k], indices[row, k] = last, after


def top_k(x, k):
    if not 0 <= k <= x.shape[-1]:
        raise ValueError("k must be at most the size of a row")
    shape = (*x.shape[:-1], k)
    values, indices = cuda.device_array(shape, x.dtype), cuda.device_array(shape, "int64")
    rows = x.size // max(1, x.shape[-1])
    if values.size:
        top_k_row[rows, THREADS](x.reshape(rows, x.shape[-1]), values.reshape(rows, k), indices.reshape(rows, k))
    return values, indices
