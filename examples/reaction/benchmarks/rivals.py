"""The same step with what people use today. Each takes a plate and gives a function that goes on by some steps, and one that
gives the cells."""

import importlib.util
import math
from pathlib import Path

import numpy as np

DIFFUSION = np.float32(0.16)


def available(module):
    return importlib.util.find_spec(module) is not None


def numpy(plate):
    cells = np.array(plate.cells)
    feed, kill = np.array(plate.feed), np.array(plate.kill)[:, np.newaxis]

    def steps(count):
        nonlocal cells
        for _ in range(count):
            spread = -4 * cells
            for axis in (0, 1):
                spread += np.roll(cells, 1, axis) + np.roll(cells, -1, axis)
            spread *= DIFFUSION
            u, v = cells.real, cells.imag
            reaction = u * v * v
            following = np.empty_like(cells)
            following.real = u + spread.real - reaction + feed * (1 - u)
            following.imag = v + np.float32(0.5) * spread.imag + reaction - (feed + kill) * v
            cells = following

    return steps, lambda: cells


def cuda(plate):
    """CUDA C++ with tiles in shared memory, compiled and launched by CuPy."""
    import cupy

    source = (Path(__file__).parent / "gray_scott.cu").read_text()
    kernel = cupy.RawModule(code=source, options=("--std=c++17",)).get_function("gray_scott")
    cells, feed, kill = (cupy.asarray(np.array(a)) for a in (plate.cells, plate.feed, plate.kill))
    following = cupy.empty_like(cells)
    rows, columns = cells.shape
    grid = (math.ceil(columns / 32), math.ceil(rows / 32))

    def steps(count):
        nonlocal cells, following
        for _ in range(count):
            numbers = (DIFFUSION, np.int32(rows), np.int32(columns))
            kernel(grid, (32, 8), (cells, feed, kill, *numbers, following))
            cells, following = following, cells
        cupy.cuda.Device().synchronize()

    return steps, lambda: cells.get()


def numba_cuda(plate):
    """A thread for each cell."""
    np.row_stack = np.vstack  # noqa: NPY201  some versions of Numba want what NumPy no longer has
    from numba import cuda

    @cuda.jit
    def step(cells, feed, kill, diffusion, following):
        j, i = cuda.grid(2)
        rows, columns = cells.shape
        if i < rows and j < columns:
            here = cells[i, j]
            around = (
                cells[i - 1, j]
                + cells[(i + 1) % rows, j]
                + cells[i, j - 1]
                + cells[i, (j + 1) % columns]
            )
            spread = diffusion * (around - np.float32(4) * here)
            u, v = here.real, here.imag
            reaction = u * v * v
            new_u = u + spread.real - reaction + feed[j] * (np.float32(1) - u)
            new_v = v + np.float32(0.5) * spread.imag + reaction - (feed[j] + kill[i]) * v
            following[i, j] = complex(new_u, new_v)

    arrays = [cuda.to_device(np.array(a)) for a in (plate.cells, plate.feed, plate.kill)]
    cells, feed, kill = arrays
    following = cuda.device_array_like(cells)
    rows, columns = cells.shape
    grid = (math.ceil(columns / 32), math.ceil(rows / 8))

    def steps(count):
        nonlocal cells, following
        for _ in range(count):
            step[grid, (32, 8)](cells, feed, kill, DIFFUSION, following)
            cells, following = following, cells
        cuda.synchronize()

    return steps, lambda: cells.copy_to_host()


def numba_cpu(plate):
    """On all cores."""
    import numba

    @numba.njit(parallel=True)
    def step(cells, feed, kill, diffusion, following):
        rows, columns = cells.shape
        for i in numba.prange(rows):
            for j in range(columns):
                here = cells[i, j]
                around = (
                    cells[i - 1, j]
                    + cells[(i + 1) % rows, j]
                    + cells[i, j - 1]
                    + cells[i, (j + 1) % columns]
                )
                spread = diffusion * (around - np.float32(4) * here)
                u, v = here.real, here.imag
                reaction = u * v * v
                new_u = u + spread.real - reaction + feed[j] * (np.float32(1) - u)
                new_v = v + np.float32(0.5) * spread.imag + reaction - (feed[j] + kill[i]) * v
                following[i, j] = complex(new_u, new_v)

    cells, feed, kill = (np.array(a) for a in (plate.cells, plate.feed, plate.kill))
    following = np.empty_like(cells)

    def steps(count):
        nonlocal cells, following
        for _ in range(count):
            step(cells, feed, kill, DIFFUSION, following)
            cells, following = following, cells

    return steps, lambda: cells
