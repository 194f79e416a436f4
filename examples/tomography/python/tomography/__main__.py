"""Simulates a scan of a head and reconstructs it: python -m tomography --output picture.png"""

import argparse
import os
import sys
from collections.abc import Iterator
from dataclasses import replace
from time import perf_counter

from tqdm import tqdm

from . import cuvec, fbp, log_likelihood, mlem, options, osem, scan
from .phantom import FIELD_OF_VIEW
from .results import Result, Results
from .scanner import Array
from .simulate import Scan


def main() -> None:
    given = parse_arguments()
    os.environ["CUVEC_DEVICE"] = given.device
    try:
        print(f"device: {cuvec.device()}")
    except RuntimeError as error:
        sys.exit(f"error: {error}")
    print(
        f"{given.size} × {given.size} pixels of {FIELD_OF_VIEW / given.size:.2f} mm, {given.angles} angles, "
        f"{given.counts:.3g} counts"
    )
    scanned = scan(
        given.size,
        angles=given.angles,
        counts=given.counts,
        fwhm=given.fwhm,
        seed=given.seed,
    )
    results = reconstruct(scanned, given.iterations, given.subsets)
    print(results.table())
    if given.output:
        from .picture import draw  # matplotlib takes a while to import

        draw(results, given.output)
        print(f"wrote {given.output}")


def parse_arguments() -> argparse.Namespace:
    parser = options.parser("tomography", __doc__)
    add = parser.add_argument
    add("--size", default=128, type=int, metavar="N", help="pixels a side")
    add("--angles", default=180, type=int, metavar="N", help="over half a turn")
    add("--counts", default=4e6, type=float, metavar="N", help="coincidences, about")
    add("--fwhm", default=5.0, type=float, metavar="MM", help="resolution of the scanner")
    add("--iterations", default=10, type=int, metavar="N", help="of MLEM, and of OSEM")
    add("--subsets", default=10, type=int, metavar="N", help="of OSEM")
    add("--seed", default=1, type=int, metavar="N", help="of the random numbers")
    options.add_device(parser)
    options.add_output(parser)
    return options.parsed(parser, what_is_wrong)


def what_is_wrong(given: argparse.Namespace) -> str | None:
    least = {"size": 16, "angles": 2, "counts": 1, "iterations": 1, "subsets": 1, "seed": 0}
    if problem := options.too_small(given, **least):
        return problem
    if given.subsets > given.angles:
        return f"--subsets must be --angles ({given.angles}) or less"
    if not given.counts < 1e12:
        return "--counts must be below 1e12"
    if not 0 <= given.fwhm <= FIELD_OF_VIEW / 4:
        return f"--fwhm must be between 0 and {FIELD_OF_VIEW / 4:g} mm"
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
