"""Slices a second: in one process, without Dask, and on workers, as many as there are GPUs or cores."""

import functools
import os

from cluster import gpus, heights, local, one_image, one_scan
from cluster.slices import one_slice

SIZES = {"cpu": 128, "cuda": 256}
SLICES = {"cpu": 16, "cuda": 64}
OSEM = {"iterations": 4, "subsets": 8}


def subjects(subject, size=None):
    """Yield what is measured; `subject(work, who, call, amount, unit)` makes it."""
    device = os.environ["CUVEC_DEVICE"]
    size, count = size or SIZES[device], SLICES[device]
    devices = gpus() if device == "cuda" else []
    of = functools.partial(
        subject, f"{count} slices of {size} × {size}", amount=count, unit="slices/s"
    )
    every = heights(count)
    scans = [one_scan(z, i, size=size) for i, z in enumerate(every)]
    yield of("one process, without Dask", lambda: [one_image(one, **OSEM) for one in scans])
    most = len(devices) or len(os.sched_getaffinity(0))
    for workers in (number for number in (1, 2, 4, 8) if number <= most):
        with local(workers, devices) as client:
            there = client.map(one_scan, every, range(count), size=size)
            who = f"{workers} worker{'s' * (workers > 1)}"
            yield of(who, functools.partial(images, client, there))


def images(client, scans):
    return client.gather(client.map(one_slice, scans, **OSEM, pure=False))
