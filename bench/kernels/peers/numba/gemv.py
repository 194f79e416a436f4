"""gemv(a, x) -> y. A gufunc runs a thread for each row."""

from numba import cuda

TYPES = ["void(float32[:], float32[:], float32[:])", "void(float64[:], float64[:], float64[:])"]


@cuda.guvectorize(TYPES, "(n),(n)->()")
def gemv(row, x, y):
    total = row.dtype.type(0)
    for j in range(x.size):
        total += row[j] * x[j]
    y[0] = total
