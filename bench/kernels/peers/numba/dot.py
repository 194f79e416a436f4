"""dot(x, y) -> float."""

import numpy as np
from numba import cuda
from numba.cuda import float64

THREADS = 256


@cuda.jit
def add_products(x, y, total):
    shares = cuda.shared.array(THREADS, float64)
    t = cuda.threadIdx.x
    share = 0.0
    for i in range(cuda.grid(1), x.size, cuda.gridsize(1)):
        share += float64(x[i]) * float64(y[i])
    shares[t] = share
    half = THREADS // 2
    while half > 0:
        cuda.syncthreads()
        if t < half:
            shares[t] += shares[t + half]
        half //= 2
    if t == 0:
        cuda.atomic.add(total, 0, shares[0])


def dot(x, y):
    if x.shape != y.shape:
        raise ValueError("x and y must have the same shape")
    total = cuda.to_device(np.zeros(1))
    add_products[1024, THREADS](x, y, total)
    return float(total.copy_to_host()[0])
