"""Draws where Newton's method leads to, for z³ = 1: python -m elementwise --output picture.png"""

import argparse
import importlib.util
import os
import sys
from itertools import islice
from pathlib import Path
from time import perf_counter

import numpy as np
from tqdm import tqdm

from . import cuvec
from .newton import colours, newton, plane

PICTURES = (".png", ".svg", ".pdf", ".jpg")
NEAR = 1e-3  # a step of this length ends


def main() -> None:
    options = parse_arguments()
    os.environ["CUVEC_DEVICE"] = options.device
    try:
        print(f"device: {cuvec.device()}")
    except RuntimeError as error:
        sys.exit(f"error: {error}")
    z = plane(options.size)
    steps = np.zeros(z.shape, "int64")
    seconds = 0.0
    images = newton(z)
    for _ in tqdm(range(options.iterations), unit="iteration", leave=False, disable=None):
        started = perf_counter()
        (step,) = islice(images, 1)
        seconds += perf_counter() - started
        steps += np.abs(step) > NEAR  # NumPy, in the same memory
    arrived = np.mean(np.abs(step) <= NEAR)
    each = 1000 * seconds / options.iterations
    print(
        f"{options.size} × {options.size} numbers, {options.iterations} iterations of {each:.2f} ms"
    )
    print(f"{arrived:.2%} have come to a root, after {steps.mean():.1f} steps")
    if options.output:
        from matplotlib.image import imsave  # takes a while to import

        imsave(options.output, colours(z, steps, options.iterations))
        print(f"wrote {options.output}")


def parse_arguments() -> argparse.Namespace:
    parser = argparse.ArgumentParser(
        prog="python -m elementwise",
        description=(__doc__ or "").partition(":")[0],
        formatter_class=argparse.ArgumentDefaultsHelpFormatter,
    )
    add = parser.add_argument
    add("--size", default=640, type=int, metavar="N", help="numbers a side")
    add("--iterations", default=40, type=int, metavar="N", help="of Newton's method")
    device = os.environ.get("CUVEC_DEVICE", "auto")
    add("--device", default=device, choices=["auto", "cuda", "cpu"], help="where to compute")
    add("--output", type=Path, metavar="FILE", help="draw a picture, such as picture.png")
    options = parser.parse_args()
    if problem := what_is_wrong(options):
        parser.error(problem)
    return options


def what_is_wrong(options: argparse.Namespace) -> str | None:
    for name in ("size", "iterations"):
        if getattr(options, name) < 1:
            return f"--{name} must be 1 or more"
    output: Path | None = options.output
    if output and not importlib.util.find_spec("matplotlib"):
        return "--output needs matplotlib: pip install matplotlib"
    if output and output.suffix not in PICTURES:
        return f"--output must end in one of {', '.join(PICTURES)}"
    if output and not output.absolute().parent.is_dir():
        return f"--output: there is no folder `{output.parent}`"
    return None


if __name__ == "__main__":
    main()
