"""Lets a plate of two substances find its patterns: python -m reaction --output picture.png"""

import argparse
import importlib.util
import os
import sys
from pathlib import Path
from time import perf_counter

from tqdm import tqdm

from . import cuvec, seeded

PICTURES = (".png", ".svg", ".pdf", ".jpg")
STAGES = (1 / 32, 1 / 8, 1)  # of the run, that a picture shows


def main() -> None:
    options = parse_arguments()
    os.environ["CUVEC_DEVICE"] = options.device
    try:
        print(f"device: {cuvec.device()}")
    except RuntimeError as error:
        sys.exit(f"error: {error}")
    plate = seeded(options.size, tuple(options.feed), tuple(options.kill), options.seed)
    stages = {max(1, round(options.steps * part)): None for part in STAGES}
    pictures, done, seconds = [], 0, 0.0
    with tqdm(total=options.steps, unit="step", leave=False, disable=None) as bar:
        while done < options.steps:
            count = min(100, next(stage for stage in stages if stage > done) - done)
            started = perf_counter()
            plate.steps(count)
            seconds += perf_counter() - started
            done += count
            bar.update(count)
            if done in stages:
                pictures.append((done, plate.v.copy()))
    rate = options.size**2 * options.steps / seconds / 1e6
    print(
        f"{options.size} × {options.size} cells, {options.steps:,} steps: {rate:,.0f} million cells a second"
    )
    print(f"V: {plate.v.mean():.4f} on average, {plate.v.max():.4f} at most")
    if options.output:
        from .picture import draw  # matplotlib takes a while to import

        draw(pictures, plate, options.output)
        print(f"wrote {options.output}")


def parse_arguments() -> argparse.Namespace:
    parser = argparse.ArgumentParser(
        prog="python -m reaction",
        description=(__doc__ or "").partition(":")[0],
        formatter_class=argparse.ArgumentDefaultsHelpFormatter,
    )
    add = parser.add_argument
    add("--size", default=480, type=int, metavar="N", help="cells a side")
    add("--steps", default=10_000, type=int, metavar="N", help="of time")
    for name, default, ends, what in (
        ("--feed", (0.012, 0.07), ("LEFT", "RIGHT"), "of U, from left to right"),
        ("--kill", (0.05, 0.067), ("BOTTOM", "TOP"), "of V, from bottom to top"),
    ):
        add(name, default=default, nargs=2, type=float, metavar=ends, help=what)
    add("--seed", default=1, type=int, metavar="N", help="of the random numbers")
    device = os.environ.get("CUVEC_DEVICE", "auto")
    add("--device", default=device, choices=["auto", "cuda", "cpu"], help="where to compute")
    add("--output", type=Path, metavar="FILE", help="draw a picture, such as picture.png")
    options = parser.parse_args()
    if problem := what_is_wrong(options):
        parser.error(problem)
    return options


def what_is_wrong(options: argparse.Namespace) -> str | None:
    for name, value in {"size": 8, "steps": 1, "seed": 0}.items():
        if getattr(options, name) < value:
            return f"--{name} must be {value} or more"
    for name in ("feed", "kill"):
        if not all(0 <= value <= 0.2 for value in getattr(options, name)):
            return f"--{name} must be between 0 and 0.2"
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
