"""Workers of Dask: processes of this machine, each with a GPU of its own if there are any."""

import logging
import os
import shutil
import signal
import subprocess
from collections.abc import Iterator
from contextlib import contextmanager
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from distributed import Client

HERE = {"host": "127.0.0.1", "port": 0}
QUIET = {"silence_logs": logging.WARNING}


def gpus() -> list[str]:
    """Those that this process may use, in the words of CUDA_VISIBLE_DEVICES. Asks the driver's own program: a process
    that has opened a GPU would keep some of its memory."""
    chosen = os.environ.get("CUDA_VISIBLE_DEVICES")
    if chosen is not None:
        return [name for name in chosen.split(",") if name]
    if not shutil.which("nvidia-smi"):
        return []
    command = ["nvidia-smi", "--list-gpus"]
    shown = subprocess.run(command, capture_output=True, text=True, check=False).stdout
    return [str(i) for i, line in enumerate(shown.splitlines()) if line.startswith("GPU ")]


@contextmanager
def local(count: int, devices: list[str]) -> Iterator["Client"]:
    """A client of `count` new workers on this machine, with a thread each, that share `devices`."""
    from distributed import Client, Nanny, Scheduler, SpecCluster

    options = {**HERE, **QUIET, "nthreads": 1}
    workers: dict[int, dict[str, Any]] = {
        number: {"cls": Nanny, "options": {**options, "env": seeing(number, devices)}}
        for number in range(count)
    }
    scheduler = {
        "cls": Scheduler,
        "options": {**HERE, "dashboard_address": ":0", "dashboard": False},
    }
    with (
        SpecCluster(workers=workers, scheduler=scheduler, **QUIET) as cluster,  # type: ignore[no-untyped-call]
        Client(cluster) as client,  # type: ignore[no-untyped-call]
    ):
        yield client


def seeing(number: int, devices: list[str]) -> dict[str, str]:
    """Environment of worker `number`: one GPU is visible."""
    return {"CUDA_VISIBLE_DEVICES": devices[number % len(devices)]} if devices else {}


def kill_one(client: "Client") -> list[str]:
    """End a worker of this machine as the system does when there is no memory left; gives its name."""
    workers = client.scheduler_info(n_workers=-1)["workers"]
    processes = client.run(os.getpid)
    address, process = next(iter(processes.items()))
    os.kill(process, signal.SIGKILL)
    return [str(workers[address]["name"])]
