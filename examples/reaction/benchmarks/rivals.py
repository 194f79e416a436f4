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
    rows, columns = cells.shape
    grid = (math.ceil(columns / 32), math.ceil(rows / 32))
    numbers = (DIFFUSION, np.int32(rows), np.int32(columns))

    def step(cells, following):
        kernel(grid, (32, 8), (cells, feed, kill, *numbers, following))

    synchronize = cupy.cuda.Device().synchronize
    return alternating(step, cells, cupy.empty_like(cells), synchronize, cupy.asnumpy)


def numba_cuda(plate):
    """A thread for each cell."""
    np.row_stack = np.vstack  # noqa: NPY201  some versions of Numba want what NumPy no longer has
    from numba import cuda

    after_a_step = cuda.jit(device=True)(cell)

    @cuda.jit
    def kernel(cells, feed, kill, following):
        j, i = cuda.grid(2)
        if i < cells.shape[0] and j < cells.shape[1]:
            following[i, j] = after_a_step(cells, feed[j], kill[i], i, j)

    cells, feed, kill = (cuda.to_device(np.array(a)) for a in (plate.cells, plate.feed, plate.kill))
    rows, columns = cells.shape
    grid = (math.ceil(columns / 32), math.ceil(rows / 8))

    def step(cells, following):
        kernel[grid, (32, 8)](cells, feed, kill, following)

    following = cuda.device_array_like(cells)
    return alternating(step, cells, following, cuda.synchronize, lambda cells: cells.copy_to_host())


def numba_cpu(plate):
    """On all cores."""
    import numba

    after_a_step = numba.njit(cell)

    @numba.njit(parallel=True)
    def loop(cells, feed, kill, following):
        for i in numba.prange(cells.shape[0]):
            for j in range(cells.shape[1]):
                following[i, j] = after_a_step(cells, feed[j], kill[i], i, j)

    cells, feed, kill = (np.array(a) for a in (plate.cells, plate.feed, plate.kill))

    def step(cells, following):
        loop(cells, feed, kill, following)

    return alternating(step, cells, np.empty_like(cells))


def cell(cells, feed, kill, i, j):
    """The cell (i, j) after a step, as Numba compiles it for the GPU and the CPU."""
    rows, columns = cells.shape
    here = cells[i, j]
    around = (
        cells[i - 1, j] + cells[(i + 1) % rows, j] + cells[i, j - 1] + cells[i, (j + 1) % columns]
    )
    spread = DIFFUSION * (around - np.float32(4) * here)
    u, v = here.real, here.imag
    reaction = u * v * v
    new_u = u + spread.real - reaction + feed * (np.float32(1) - u)
    new_v = v + np.float32(0.5) * spread.imag + reaction - (feed + kill) * v
    return complex(new_u, new_v)


def alternating(step, cells, following, wait=lambda: None, to_host=lambda cells: cells):
    """`step(cells, following)` again and again, from one array to the other."""

    def steps(count):
        nonlocal cells, following
        for _ in range(count):
            step(cells, following)
            cells, following = following, cells
        wait()

    return steps, lambda: to_host(cells)
