"""The edges of cells: a CUDA kernel through ctypes, with memory by hand.

    nvcc -O3 -arch=native -shared -Xcompiler=-fPIC -o convolve.so convolve.cu
    python before.py

Checked: dtype, dimensions and contiguity, by `ndpointer`. An error of CUDA is a number, and leaks memory.
"""

import ctypes
from pathlib import Path

import numpy as np
from numpy.ctypeslib import ndpointer

from ports.programs import edges, run

MATRIX = ndpointer(np.float32, ndim=2, flags="C_CONTIGUOUS")

library = ctypes.CDLL(Path(__file__).resolve().with_name("convolve.so"))
library.convolve.argtypes = (*[MATRIX, ctypes.c_int, ctypes.c_int] * 2, MATRIX)
library.convolve.restype = ctypes.c_int

arrays = np.asarray  # NumPy's: each call copies them to the GPU


def convolve(image, weights):
    result = np.empty_like(image)
    if error := library.convolve(image, *image.shape, weights, *weights.shape, result):
        raise RuntimeError(f"CUDA error {error}")
    return result


if __name__ == "__main__":
    run(edges, convolve, arrays)
