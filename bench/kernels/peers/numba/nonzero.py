"""nonzero(x) -> index, in no particular order."""

import numpy as np
from numba import cuda


@cuda.jit
def nonzero_kernel(x, index, count):
    i = cuda.grid(1)
    if i < x.size and x[i] != 0:
        index[cuda.atomic.add(count, 0, 1)] = i


def nonzero(x):
    index, count = cuda.device_array(x.size, "int64"), cuda.to_device(np.zeros(1, "int64"))
    if x.size:
        nonzero_kernel[(x.size + 255) // 256, 256](x, index, count)
    return index[: int(count.copy_to_host()[0])]
