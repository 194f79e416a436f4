"""Scans a head slice by slice and reconstructs it on several workers: python -m tomography.volume --output volume.png"""

import argparse
import importlib.util
import os
from itertools import islice
from pathlib import Path
from typing import TYPE_CHECKING

import numpy as np
from tqdm import tqdm

from . import osem, scan
from .__main__ import problem_with_output
from .results import error
from .scanner import Array
from .simulate import Scan

if TYPE_CHECKING:
    from distributed import Client

TALLEST = 0.9  # height of the first slice and the last one, of 1
SHOWN = 6  # slices in a picture


def main() -> None:
    options = parse_arguments()
    os.environ["CUVEC_DEVICE"] = options.device  # and that of the workers
    heights = np.linspace(-TALLEST, TALLEST, options.slices).tolist()
    with connect(options.scheduler, options.workers) as client:
        slices = volume(client, heights, options.size, options.iterations, options.subsets)
        workers = len(client.scheduler_info(n_workers=-1)["workers"])
    errors = [error(image, truth) for truth, image in slices]
    print(
        f"{len(slices)} slices on {workers} workers, error {min(errors):.1%} to {max(errors):.1%}"
    )
    if options.output:
        from .picture import draw_volume  # matplotlib takes a while to import

        shown = np.linspace(0, len(slices) - 1, min(SHOWN, len(slices))).round().astype(int)
        draw_volume([heights[i] for i in shown], [slices[i] for i in shown], options.output)
        print(f"wrote {options.output}")


def connect(scheduler: str | None, workers: int) -> "Client":
    """A cluster that is there, such as one of dask-cuda with a worker for each GPU, or workers on this machine."""
    from distributed import Client

    if scheduler:
        return Client(scheduler)  # type: ignore[no-untyped-call]
    here = {"n_workers": workers, "threads_per_worker": 1, "dashboard_address": None}
    return Client(**here)  # type: ignore[no-untyped-call]


def volume(
    client: "Client", heights: list[float], size: int, iterations: int, subsets: int
) -> list[tuple[Array, Array]]:
    """What was in each slice, and what is reconstructed of it. Scans stay with the worker that simulates them."""
    from distributed import as_completed

    scans = client.map(one_scan, heights, range(len(heights)), size=size)
    images = client.map(one_image, scans, iterations=iterations, subsets=subsets)
    done = as_completed(images)  # type: ignore[no-untyped-call]
    for _ in tqdm(done, total=len(images), unit="slice", leave=False, disable=None):
        pass
    return client.gather(images)  # type: ignore[no-any-return, no-untyped-call]


def one_scan(height: float, seed: int, *, size: int) -> Scan:
    return scan(size, angles=size, fwhm=5, height=height, seed=seed)


def one_image(scanned: Scan, *, iterations: int, subsets: int) -> tuple[Array, Array]:
    """The activity that was there, and that which is reconstructed."""
    images = osem(scanned.scanner, scanned.data, subsets)
    *_, last = islice(images, iterations)
    return np.array(scanned.truth), np.array(last)


def parse_arguments() -> argparse.Namespace:
    parser = argparse.ArgumentParser(
        prog="python -m tomography.volume",
        description=(__doc__ or "").partition(":")[0],
        formatter_class=argparse.ArgumentDefaultsHelpFormatter,
    )
    add = parser.add_argument
    add("--size", default=128, type=int, metavar="N", help="pixels a side, and angles")
    add("--slices", default=24, type=int, metavar="N", help="of the head")
    add("--iterations", default=4, type=int, metavar="N", help="of OSEM")
    add("--subsets", default=8, type=int, metavar="N", help="of OSEM")
    add("--workers", default=2, type=int, metavar="N", help="processes on this machine")
    add("--scheduler", metavar="ADDRESS", help="of a cluster of Dask's that is there, instead")
    device = os.environ.get("CUVEC_DEVICE", "auto")
    add(
        "--device",
        default=device,
        choices=["auto", "cuda", "cpu"],
        help="of workers on this machine",
    )
    add("--output", type=Path, metavar="FILE", help="draw a picture, such as volume.png")
    options = parser.parse_args()
    if problem := what_is_wrong(options):
        parser.error(problem)
    return options


def what_is_wrong(options: argparse.Namespace) -> str | None:
    for name, least in {
        "size": 16,
        "slices": 1,
        "iterations": 1,
        "subsets": 1,
        "workers": 1,
    }.items():
        if getattr(options, name) < least:
            return f"--{name} must be {least} or more"
    if options.subsets > options.size:
        return f"--subsets must be --size ({options.size}) or less"
    if not importlib.util.find_spec("distributed"):
        return "Dask's workers are not installed: pip install distributed"
    return problem_with_output(options.output)


if __name__ == "__main__":
    main()
