"""Scans a head and reconstructs it: python -m library --output picture.png"""

import argparse
import importlib.util
import os
import sys
from pathlib import Path
from time import perf_counter

import numpy as np
from numpy.typing import NDArray

from . import Reconstruction, cuvec, phantom, scan, scanner

PICTURES = (".png", ".svg", ".pdf", ".jpg")


def main() -> None:
    options = parse_arguments()
    os.environ["CUVEC_DEVICE"] = options.device
    size = options.size
    angles = 3 * size // 2
    try:
        print(f"device: {cuvec.device()}")
    except RuntimeError as error:
        sys.exit(f"error: {error}")
    sinogram = scan(phantom(), scanner(size), angles, size)
    with Reconstruction(angles, size, size, scanner(size)) as reconstruction:
        image = reconstruction.apply(sinogram)
        started = perf_counter()
        reconstruction.apply(sinogram, out=image)
        seconds = perf_counter() - started
    print(f"{angles} angles, {size} × {size} pixels: {1000 * seconds:.2f} ms")
    if options.output:
        draw(sinogram, image, options.output)
        print(f"wrote {options.output}")


def draw(sinogram: NDArray[np.float32], image: NDArray[np.float32], output: Path) -> None:
    from matplotlib import style  # takes a while to import
    from matplotlib.figure import Figure

    with style.context(["dark_background", {"font.size": 9}]):
        figure = Figure(figsize=(8, 3.8), layout="constrained")
        left, right = figure.subplots(1, 2)
        left.imshow(sinogram, cmap="gray", aspect="auto")
        left.set(title="what a scanner measures", xlabel="bin", ylabel="angle")
        right.imshow(image, cmap="gray", vmin=0, vmax=0.4)
        right.set(title="what follows from it", xlabel="x", ylabel="y")
        figure.savefig(output, dpi=80)


def parse_arguments() -> argparse.Namespace:
    parser = argparse.ArgumentParser(
        prog="python -m library",
        description=(__doc__ or "").partition(":")[0],
        formatter_class=argparse.ArgumentDefaultsHelpFormatter,
    )
    add = parser.add_argument
    add("--size", default=256, type=int, metavar="N", help="bins, and pixels a side")
    device = os.environ.get("CUVEC_DEVICE", "auto")
    add("--device", default=device, choices=["auto", "cuda", "cpu"], help="where to compute")
    add("--output", type=Path, metavar="FILE", help="draw a picture, such as picture.png")
    options = parser.parse_args()
    if problem := what_is_wrong(options.size, options.output):
        parser.error(problem)
    return options


def what_is_wrong(size: int, output: Path | None) -> str | None:
    if not 8 <= size <= 8192:
        return "--size must be between 8 and 8192"
    if output and not importlib.util.find_spec("matplotlib"):
        return "--output needs matplotlib: pip install matplotlib"
    if output and output.suffix not in PICTURES:
        return f"--output must end in one of {', '.join(PICTURES)}"
    if output and not output.absolute().parent.is_dir():
        return f"--output: there is no folder `{output.parent}`"
    return None


if __name__ == "__main__":
    main()
