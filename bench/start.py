"""Seconds of an import after NumPy's, and of the first call after it, in a process of its own.

    start.py NAME

Prints the seconds of NumPy's import, of the library's, and of the first call.
"""

import sys
import time

# The import, and a call on new arrays that waits.
STARTS = {
    "package": ("from gpupkg import axpy, cuvec", "axpy(1, cuvec.ones(1024), cuvec.ones(1024))"),
    "CuVec": (
        "import cuvec.pybind11 as cuvec; from cuvec.example_pybind11 import increment2d_f",
        "increment2d_f(cuvec.zeros((32, 32), 'f4').cuvec)",
    ),
    "NumCu": ("import cuvec, numcu", "numcu.add(cuvec.zeros(1024, 'f4'), cuvec.zeros(1024, 'f4'))"),
    "CuPy": ("import cupy", "x = cupy.ones(1024, 'f4'); x += x; cupy.cuda.get_current_stream().synchronize()"),
    "PyTorch": ("import torch", "x = torch.ones(1024, device='cuda'); x += x; torch.cuda.synchronize()"),
    "Numba": (
        "import numpy; numpy.row_stack = numpy.vstack; from numba import cuda; kernel = cuda.jit('void(float32[::1])')(lambda x: None)",
        "kernel[1, 32](cuda.to_device(numpy.ones(1024, 'f4'))); cuda.synchronize()",
    ),
}


def seconds(code: str, names: dict[str, object]) -> float:
    start = time.perf_counter()
    exec(code, names)  # noqa: S102
    return time.perf_counter() - start


def main() -> None:
    names: dict[str, object] = {}
    print(seconds("import numpy", names), *(seconds(code, names) for code in STARTS[sys.argv[1]]))


if __name__ == "__main__":
    main()
