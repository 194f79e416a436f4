"""Simulates a scan of a head and reconstructs it: python -m tomography --output picture.png"""

import argparse
import importlib.util
import os
import sys
from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path
from time import perf_counter

from tqdm import tqdm

from . import cuvec, fbp, log_likelihood, mlem, osem, scan
from .phantom import FIELD_OF_VIEW
from .results import Result, Results
from .scanner import Array
from .simulate import Scan

PICTURES = (".png", ".svg", ".pdf", ".jpg")


def main() -> None:
    options = parse_arguments()
    os.environ["CUVEC_DEVICE"] = options.device
    try:
        print(f"device: {cuvec.device()}")
    except RuntimeError as error:
        sys.exit(f"error: {error}")
    print(
        f"{options.size} × {options.size} pixels of {FIELD_OF_VIEW / options.size:.2f} mm, {options.angles} angles, "
        f"{options.counts:.3g} counts"
    )
    scanned = scan(
        options.size,
        angles=options.angles,
        counts=options.counts,
        fwhm=options.fwhm,
        seed=options.seed,
    )
    results = reconstruct(scanned, options.iterations, options.subsets)
    print(results.table())
    if options.output:
        from .picture import draw  # matplotlib takes a while to import

        draw(results, options.output)
        print(f"wrote {options.output}")


def parse_arguments() -> argparse.Namespace:
    parser = argparse.ArgumentParser(
        prog="python -m tomography",
        description=(__doc__ or "").partition(":")[0],
        formatter_class=argparse.ArgumentDefaultsHelpFormatter,
    )
    add = parser.add_argument
    add("--size", default=128, type=int, metavar="N", help="pixels a side")
    add("--angles", default=180, type=int, metavar="N", help="over half a turn")
    add("--counts", default=4e6, type=float, metavar="N", help="coincidences, about")
    add("--fwhm", default=5.0, type=float, metavar="MM", help="resolution of the scanner")
    add("--iterations", default=10, type=int, metavar="N", help="of MLEM, and of OSEM")
    add("--subsets", default=10, type=int, metavar="N", help="of OSEM")
    add("--seed", default=1, type=int, metavar="N", help="of the random numbers")
    device = os.environ.get("CUVEC_DEVICE", "auto")
    add("--device", default=device, choices=["auto", "cuda", "cpu"], help="where to compute")
    add("--output", type=Path, metavar="FILE", help="draw a picture, such as picture.png")
    options = parser.parse_args()
    if problem := what_is_wrong(options):
        parser.error(problem)
    return options


def what_is_wrong(options: argparse.Namespace) -> str | None:
    least = {"size": 16, "angles": 2, "counts": 1, "iterations": 1, "subsets": 1, "seed": 0}
    for name, value in least.items():
        if not getattr(options, name) >= value:
            return f"--{name} must be {value} or more"
    if options.subsets > options.angles:
        return f"--subsets must be --angles ({options.angles}) or less"
    if not options.counts < 1e12:
        return "--counts must be below 1e12"
    if not 0 <= options.fwhm <= FIELD_OF_VIEW / 4:
        return f"--fwhm must be between 0 and {FIELD_OF_VIEW / 4:g} mm"
    return problem_with_output(options.output)


def problem_with_output(output: Path | None) -> str | None:
    if output and not importlib.util.find_spec("matplotlib"):
        return "--output needs matplotlib: pip install matplotlib"
    if output and output.suffix not in PICTURES:
        return f"--output must end in one of {', '.join(PICTURES)}"
    if output and not output.absolute().parent.is_dir():
        return f"--output: there is no folder `{output.parent}`"
    return None


def reconstruct(scanned: Scan, iterations: int, subsets: int) -> Results:
    scanner, data, truth = scanned
    unresolved = replace(scanner, fwhm=0)
    filtered = Result("FBP")
    started = perf_counter()
    filtered.add(fbp(scanner, data), truth, perf_counter() - started)
    results = [filtered]
    algorithms = {
        "MLEM": (scanner, mlem(scanner, data)),
        f"OSEM, {subsets} subsets": (scanner, osem(scanner, data, subsets)),
        "OSEM without resolution": (unresolved, osem(unresolved, data, subsets)),
    }
    with tqdm(
        total=len(algorithms) * iterations, unit="iteration", leave=False, disable=None
    ) as bar:
        for name, (model, images) in algorithms.items():
            bar.set_description(name)
            result = Result(name)
            for image, seconds in timed(images, iterations):
                result.add(image, truth, seconds, log_likelihood(model, data, image))
                bar.update()
            results.append(result)
    return Results(scanned, results)


def timed(images: Iterator[Array], count: int) -> Iterator[tuple[Array, float]]:
    """The first images, with the seconds that each took."""
    for _ in range(count):
        started = perf_counter()
        image = next(images)
        yield image, perf_counter() - started


if __name__ == "__main__":
    main()
