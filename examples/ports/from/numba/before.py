"""How stars attract each other: a kernel in Python, compiled by Numba.

    python before.py

Checked: the number of dimensions. An array that is too short is read beyond its end, and integers give integers.
"""

import math

import numpy as np
from numba import cuda

from ports.programs import galaxy, run

THREADS = 128


@cuda.jit
def accelerate(positions, masses, softening, result):
    i = cuda.grid(1)
    if i < masses.size:
        x = y = z = np.float32(0)
        for j in range(masses.size):
            dx = positions[j, 0] - positions[i, 0]
            dy = positions[j, 1] - positions[i, 1]
            dz = positions[j, 2] - positions[i, 2]
            square = dx * dx + dy * dy + dz * dz + softening * softening
            factor = masses[j] / (square * math.sqrt(square))
            x += factor * dx
            y += factor * dy
            z += factor * dz
        result[i, 0] = x
        result[i, 1] = y
        result[i, 2] = z


arrays = cuda.to_device


def accelerations(positions, masses, softening=0.05):
    result = cuda.device_array_like(positions)
    blocks = (masses.size + THREADS - 1) // THREADS
    accelerate[blocks, THREADS](positions, masses, np.float32(softening), result)
    return result.copy_to_host()


if __name__ == "__main__":
    run(galaxy, accelerations, arrays)
