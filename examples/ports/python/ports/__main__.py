"""Runs five programs that were ported to this package: python -m ports --output picture.png"""

import argparse
import importlib.util
import os
import sys
from pathlib import Path

from tqdm import tqdm

from . import cuvec
from .programs import PROGRAMS, SIZE
from .results import results

PICTURES = (".png", ".svg", ".pdf", ".jpg")


def main() -> None:
    options = parse_arguments()
    os.environ["CUVEC_DEVICE"] = options.device
    try:
        print(f"device: {cuvec.device()}")
    except RuntimeError as error:
        sys.exit(f"error: {error}")
    bar = tqdm(
        results(options.size), total=len(PROGRAMS), unit="program", leave=False, disable=None
    )
    found = list(bar)
    for one in found:
        print(f"{one.name:10} {one.function:16} {1000 * one.seconds:9.3f} ms  {one.summary}")
    if options.output:
        from .picture import draw  # matplotlib takes a while to import

        draw(found, options.output)
        print(f"wrote {options.output}")


def parse_arguments() -> argparse.Namespace:
    parser = argparse.ArgumentParser(
        prog="python -m ports",
        description=(__doc__ or "").partition(":")[0],
        formatter_class=argparse.ArgumentDefaultsHelpFormatter,
    )
    add = parser.add_argument
    add("--size", default=SIZE, type=int, metavar="N", help="pixels a side, points and stars")
    device = os.environ.get("CUVEC_DEVICE", "auto")
    add("--device", default=device, choices=["auto", "cuda", "cpu"], help="where to compute")
    add("--output", type=Path, metavar="FILE", help="draw a picture, such as picture.png")
    options = parser.parse_args()
    if problem := what_is_wrong(options.size, options.output):
        parser.error(problem)
    return options


def what_is_wrong(size: int, output: Path | None) -> str | None:
    if not 16 <= size <= 16384:
        return "--size must be between 16 and 16384"
    if output and not importlib.util.find_spec("matplotlib"):
        return "--output needs matplotlib: pip install matplotlib"
    if output and output.suffix not in PICTURES:
        return f"--output must end in one of {', '.join(PICTURES)}"
    if output and not output.absolute().parent.is_dir():
        return f"--output: there is no folder `{output.parent}`"
    return None


if __name__ == "__main__":
    main()
