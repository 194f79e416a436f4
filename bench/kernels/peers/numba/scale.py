"""scale(a, x, out=x)."""

from numba import cuda


@cuda.vectorize(["float32(float32, float32)", "float64(float64, float64)"])
def scale(a, x):
    return a * x
