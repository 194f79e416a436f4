"""Times work of Dask with one worker and with several, each a process with a GPU of its own, and prints the seconds as JSON.

    scaling.py NAME WORKERS

NAME is an installed package with the functions of `bench/kernels`. The chunks are in the workers' memory when the clock starts:

- `axpy`: arrays of the package, on the GPU; each chunk is worked on many times,
- `gemv`: matrices of NumPy; their way to the GPU is timed as well, and `NAME.dask.gemv` is what maps it.

Without a GPU the workers are processes on the CPU, whose chunks are small: their times say nothing of GPUs.
"""

from __future__ import annotations

import importlib
import json
import logging
import statistics
import sys
import time
from collections.abc import Callable
from dataclasses import dataclass

import dask.array
import numpy as np
from distributed import Client, Nanny, Scheduler, SpecCluster, wait

HOST = "127.0.0.1"
MIB = 1 << 20
CHUNKS = 8  # for the workers to share
ROUNDS = 5


@dataclass(frozen=True)
class Size:
    bytes: int  # of a chunk
    calls: int  # of `axpy` on a chunk


SIZES = {"cuda": Size(32 * MIB, 1000), "cpu": Size(MIB, 20)}


def cluster(workers: int) -> SpecCluster:
    """Workers of one thread; each sees one GPU, if there is any."""

    def worker(number: int) -> dict:
        options = {"host": HOST, "nthreads": 1, "env": {"CUDA_VISIBLE_DEVICES": str(number)}}
        return {"cls": Nanny, "options": options}

    scheduler = {"cls": Scheduler, "options": {"host": HOST, "dashboard_address": None}}
    workers_by_number = {number: worker(number) for number in range(workers)}
    return SpecCluster(workers=workers_by_number, scheduler=scheduler, silence_logs=logging.ERROR)


def device(name: str) -> str:
    return importlib.import_module(f"{name}.cuvec").device().kind


def ones(name: str, count: int) -> tuple:
    """Two arrays of the package, where its functions run."""
    cuvec = importlib.import_module(f"{name}.cuvec")
    x, y = (cuvec.ones(count, "float32") for _ in range(2))
    for array in (x, y):
        array.prefetch("device")
    return x, y


def add(name: str, arrays: tuple, calls: int) -> float:
    axpy = importlib.import_module(name).axpy
    x, y = arrays
    before = float(y[0])
    for _ in range(calls):
        axpy(1, x, y)
    return float(y[0]) - before


def seconds(work: Callable[[], None]) -> float:
    """The median; the first time is not counted."""
    times = []
    for _ in range(ROUNDS + 1):
        start = time.perf_counter()
        work()
        times.append(time.perf_counter() - start)
    return statistics.median(times[1:])


def axpy(client: Client, name: str, size: Size) -> float:
    workers = list(client.scheduler_info()["workers"])
    homes = [workers[chunk % len(workers)] for chunk in range(CHUNKS)]
    arrays = [client.submit(ones, name, size.bytes // 4, workers=home, pure=False) for home in homes]
    wait(arrays)

    def work() -> None:
        added = client.gather([client.submit(add, name, one, size.calls, pure=False) for one in arrays])
        assert added == [size.calls] * CHUNKS

    return seconds(work)


def gemv(name: str, size: Size) -> float:
    width = 1024
    shape = (CHUNKS, size.bytes // 4 // width, width)
    matrices = dask.array.ones(shape, dtype="f4", chunks=(1, *shape[1:])).persist()
    wait(matrices)
    x = np.ones(width, "f4")
    product = importlib.import_module(f"{name}.dask").gemv(matrices, x)
    expected = importlib.import_module(name).gemv(np.ones((1, width), "f4"), x)

    def work() -> None:
        np.testing.assert_array_equal(product.compute(), np.broadcast_to(expected, shape[:2]))

    return seconds(work)


def main() -> None:
    name, workers = sys.argv[1], int(sys.argv[2])
    with cluster(workers) as started, Client(started) as client:
        client.wait_for_workers(workers)
        kind = client.submit(device, name).result()
        size = SIZES[kind]
        print(json.dumps({"device": kind, "axpy": axpy(client, name, size), "gemv": gemv(name, size)}))


if __name__ == "__main__":
    main()
