"""Reconstructs a whole head on several workers: python -m cluster --output picture.png"""

import argparse
import importlib.util
import os
import sys
from collections import Counter
from contextlib import AbstractContextManager
from typing import TYPE_CHECKING

from tomography import cuvec, options

from .slices import heights
from .volume import reconstruct
from .workers import gpus, kill_one, local

if TYPE_CHECKING:
    from distributed import Client


def main() -> None:
    given = parse_arguments()
    os.environ["CUVEC_DEVICE"] = given.device  # and the workers' device
    with connected(given) as client:
        try:
            told: dict[str, str] = client.run(device)
        except RuntimeError as error:
            sys.exit(f"error: {error}")
        for what, workers in Counter(told.values()).items():
            print(f"device: {what}, of {workers} workers")
        volume = reconstruct(
            client,
            heights(given.slices),
            size=given.size,
            iterations=given.iterations,
            subsets=given.subsets,
            losses={given.kill: kill_one} if given.kill else None,
        )
    print(volume.told())
    if given.output:
        from .picture import draw  # matplotlib takes a while to import

        draw(volume, given.output)
        print(f"wrote {given.output}")


def device() -> str:
    return str(cuvec.device())


def connected(given: argparse.Namespace) -> AbstractContextManager["Client"]:
    from distributed import Client

    if given.scheduler:
        return Client(given.scheduler)  # type: ignore[no-untyped-call]
    found = [] if given.device == "cpu" else gpus()
    return local(given.workers or len(found) or 2, found)


def parse_arguments() -> argparse.Namespace:
    parser = options.parser("cluster", __doc__)
    add = parser.add_argument
    add("--size", default=128, type=int, metavar="N", help="pixels a side, and angles")
    add("--slices", default=48, type=int, metavar="N", help="of the head")
    add("--iterations", default=4, type=int, metavar="N", help="of OSEM")
    add("--subsets", default=8, type=int, metavar="N", help="of OSEM")
    add("--workers", default=0, type=int, metavar="N", help="of this machine; 0: one a GPU, or 2")
    add("--scheduler", metavar="ADDRESS", help="of a cluster of Dask's that is there, instead")
    add("--kill", default=0, type=int, metavar="N", help="a worker after N images; 0: none")
    options.add_device(parser)
    options.add_output(parser)
    return options.parsed(parser, what_is_wrong)


def what_is_wrong(given: argparse.Namespace) -> str | None:
    least = {"size": 16, "slices": 1, "iterations": 1, "subsets": 1, "workers": 0, "kill": 0}
    if problem := options.too_small(given, **least):
        return problem
    if given.subsets > given.size:
        return f"--subsets must be --size ({given.size}) or less"
    if given.kill and given.scheduler:
        return "--kill is for workers of this machine: leave out --scheduler"
    if given.kill >= given.slices:
        return f"--kill must be below --slices ({given.slices})"
    if not importlib.util.find_spec("distributed"):
        return "Dask's workers are not installed: pip install distributed"
    return None


if __name__ == "__main__":
    main()
