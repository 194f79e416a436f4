"""Measures a head on several hosts, which are network namespaces of this machine, and loses a worker and a link.

python benchmarks/hosts.py [--hosts 2] [--size 128] [--slices 48] [--output benchmarks/hosts.json], as root: a scheduler
and a client on one host, two workers on each of the others, TCP between them.
"""

import argparse
import datetime
import json
import os
import sys
import time
from collections.abc import Iterator
from contextlib import contextmanager
from importlib.metadata import version
from pathlib import Path
from typing import Any

import numpy as np
import psutil
from distributed import Client
from network import Host, network

from cluster import heights, kill_one, one_scan, reconstruct
from cluster.slices import one_slice

WORKERS = 2  # of a host
OSEM = {"iterations": 4, "subsets": 8}
ENVIRONMENT = {
    # So long Dask waits for a worker on a host whose link is gone: by default five minutes, since it
    # has no other way to know.
    "DASK_DISTRIBUTED__COMM__TIMEOUTS__TCP": "20s",
    "DASK_DISTRIBUTED__SCHEDULER__WORKER_TTL": "20s",
    "DASK_LOGGING__DISTRIBUTED": "critical",  # that workers are lost is meant
    "CUVEC_DEVICE": "cpu",
}


def main() -> None:
    given = parse_arguments()
    os.environ.update(ENVIRONMENT)
    with network(given.hosts + 1) as (head, *hosts), cluster(head, hosts) as (client, scheduler):
        print(f"{given.hosts} hosts with {WORKERS} workers each, {given.slices} slices")
        told = undisturbed(client, given, scheduler, head)
        image = told.pop("image")
        volume = reconstruct(
            client,
            heights(given.slices),
            size=given.size,
            **OSEM,
            losses={
                given.slices // 4: kill_one,
                given.slices // 2: lambda client: lose(client, hosts[-1]),
            },
        )
    if not np.array_equal(volume.image, image):
        sys.exit("error: the images are not those from before the losses")
    told["lost"] = [name for name, _ in volume.lost]
    told["seconds with losses"] = round(volume.seconds, 2)
    print(json.dumps(told, indent=1))
    if given.output:
        given.output.write_text(json.dumps(told, indent=1) + "\n", "utf-8")


@contextmanager
def cluster(head: Host, hosts: list[Host]) -> Iterator[tuple[Client, psutil.Process]]:
    """A client, which is on the host of the scheduler, and the process of that."""
    address = f"tcp://{head.address}:8786"
    options = ("--host", head.address, "--port", "8786", "--no-dashboard")
    started = [head.start("distributed.cli.dask_scheduler", *options)]
    for number, host in enumerate(hosts):
        options = ("--host", host.address, "--name", f"host{number}", "--no-dashboard")
        count = ("--nworkers", str(WORKERS), "--nthreads", "1")
        started.append(host.start("distributed.cli.dask_worker", address, *options, *count))
    try:
        head.enter()
        with Client(address, timeout="60s") as client:  # type: ignore[no-untyped-call]
            client.wait_for_workers(WORKERS * len(hosts), timeout=60)  # type: ignore[no-untyped-call]
            yield client, psutil.Process(started[0].pid)
    finally:
        for process in started:
            process.terminate()
        for process in started:
            process.wait()


def undisturbed(
    client: Client, given: argparse.Namespace, scheduler: psutil.Process, head: Host
) -> dict[str, Any]:
    """The images, and what they took, of scans that are there before."""
    scans = client.map(one_scan, heights(given.slices), range(given.slices), size=given.size)
    client.gather(client.map(len, scans))  # type: ignore[no-untyped-call]
    idle = share(scheduler)
    received, busy, own = head.received(), seconds(scheduler), time.process_time()
    start = time.perf_counter()
    slices = client.gather(client.map(one_slice, scans, **OSEM, pure=False))  # type: ignore[no-untyped-call]
    taken = time.perf_counter() - start
    busy, own = seconds(scheduler) - busy - idle * taken, time.process_time() - own
    each = 1 / given.slices
    return {
        "date": f"{datetime.datetime.now(datetime.UTC):%Y-%m-%d}",
        "cores": len(os.sched_getaffinity(0)),
        "versions": {name: version(name) for name in ("distributed", "numpy")},
        "hosts": given.hosts,
        "workers": given.hosts * WORKERS,
        "slices": given.slices,
        "size": given.size,
        "slices a second": round(given.slices / taken, 1),
        "bytes to the client for a slice": round((head.received() - received) * each),
        "seconds of the scheduler for a slice": round(busy * each, 6),
        "seconds of the client for a slice": round(own * each, 6),
        "image": np.stack([one.image for one in slices]),
    }


def share(process: psutil.Process) -> float:
    """Share of a core that it uses while idle."""
    before, pause = seconds(process), 5
    time.sleep(pause)
    return (seconds(process) - before) / pause


def seconds(process: psutil.Process) -> float:
    """Seconds of CPU time until now."""
    taken = process.cpu_times()
    return float(taken.user + taken.system)


def lose(client: Client, host: Host) -> list[str]:
    """Take the link of a host away; gives the names of its workers."""
    workers = client.scheduler_info(n_workers=-1)["workers"]  # type: ignore[no-untyped-call]
    host.unplug()
    return [str(it["name"]) for at, it in workers.items() if f"//{host.address}:" in at]


def parse_arguments() -> argparse.Namespace:
    parser = argparse.ArgumentParser(description=(__doc__ or "").splitlines()[0])
    add = parser.add_argument
    add("--hosts", default=2, type=int, metavar="N", help="with workers; 2 or more, %(default)s")
    add("--size", default=128, type=int, metavar="N", help="pixels a side, %(default)s")
    add("--slices", default=48, type=int, metavar="N", help="8 or more, %(default)s")
    add("--output", type=Path, metavar="FILE", help="for the figures")
    given = parser.parse_args()
    if given.hosts < 2 or given.slices < 8:
        parser.error("--hosts must be 2 or more, and --slices 8 or more")
    return given


if __name__ == "__main__":
    main()
