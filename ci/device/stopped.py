"""A thread that asks for an element outside of an array ends, while others of its warp and block wait for it: they go on.

stopped.py KERNELS.ptx: those of a package to which ci/kernels/gather.md was added. Reads the report as the host does.
"""

from __future__ import annotations

import ctypes
import sys

import cupy as cp
import numpy as np

BLOCKS, THREADS = 64, 256
N = BLOCKS * THREADS * 4  # 16 bytes of numbers for each thread


class Report(ctypes.Structure):
    _fields_ = (
        ("state", ctypes.c_uint32),
        ("problem", ctypes.c_uint32),
        ("line", ctypes.c_uint32),
        ("file_length", ctypes.c_uint32),
        ("left", ctypes.c_uint64),
        ("right", ctypes.c_uint64),
        ("file", ctypes.c_char * 224),
    )


module = cp.RawModule(path=sys.argv[1])
kernel = module.get_function("gather_sum_f32")
memory = cp.cuda.alloc_pinned_memory(ctypes.sizeof(Report))
report = Report.from_address(memory.ptr)
slot = cp.ndarray(2, cp.uint64, module.get_global("KERNEL_REPORT"))
x = cp.arange(N, dtype="f4")


def sums(index: np.ndarray) -> np.ndarray:
    """Of every block, while a report is awaited."""
    ctypes.memset(memory.ptr, 0, ctypes.sizeof(Report))
    slot[:] = cp.asarray([memory.ptr, 0], dtype=cp.uint64)
    partial = cp.full(BLOCKS, -1.0)
    kernel((BLOCKS,), (THREADS,), (x, cp.asarray(index), partial, np.uint64(N)))
    cp.cuda.Device().synchronize()
    return partial.get()


right = np.arange(N, dtype="u4")
good = sums(right)
assert report.state == 0
assert good.sum() == N * (N - 1) // 2

first_of_block_7 = 7 * THREADS * 4
for wrong in (
    [first_of_block_7],  # thread 0, which would have had the result
    [first_of_block_7 + 4 * 37],  # one thread of a warp
    range(first_of_block_7 + 4 * 32, first_of_block_7 + 4 * 64),  # a warp
    range(first_of_block_7, first_of_block_7 + 4 * THREADS),  # a block
):
    index = right.copy()
    index[wrong] = N + 5
    got = sums(index)
    others = np.arange(BLOCKS) != 7
    assert (got[others] == good[others]).all()
    assert (report.state, report.problem, report.left, report.right) == (1, 1, N + 5, N)
    assert report.file[: report.file_length] == b"kernels/src/gather.rs"
    assert (sums(right) == good).all()
    assert report.state == 0

print("ok")
