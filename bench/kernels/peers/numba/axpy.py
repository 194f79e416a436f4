"""axpy(a, x, y, out=y)."""

from numba import cuda


@cuda.vectorize(["float32(float32, float32, float32)", "float64(float64, float64, float64)"])
def axpy(a, x, y):
    return a * x + y
