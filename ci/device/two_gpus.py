"""Runs the tests that need two GPUs and times Dask with one worker and with two; writes the report.

Ends with a test runner's line, and with a failure when anything failed or was skipped.
"""

import argparse
import json
import os
import subprocess
import sys
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from tempfile import TemporaryDirectory

from examples import Examples
from machine import driver, gpus, installed, today
from suite import Count, end, run_suite
from table import rows_to_markdown
from tested import ROOT, Tested, packages_in

WORKS = {
    "axpy": "`axpy`, 1,000 times on each of 8 pairs of 32 MiB that are on the GPU",
    "gemv": "`gemv` of 8 matrices of NumPy, 32 MiB each, by `gpupkg.dask`",
}


def tests(package: Tested) -> Count:
    files = sorted(package.conformance.rglob("test_*two_gpus.py"))
    return run_suite("two GPUs", [package.suite], files, package.folder, CUVEC_PACKAGE="gpupkg")


def dask(package: Tested) -> list[list[str]]:
    """Rows of a table: the seconds that a work takes with one worker, and with two."""
    environment = {**os.environ, "CUVEC_DEVICE": "cuda"}
    command = [package.python, ROOT / "bench/scaling.py", "gpupkg"]
    one, two = (
        json.loads(subprocess.check_output([*command, workers], env=environment, text=True)) for workers in "12"
    )
    return [
        [text, f"{one[work]:.3g} s", f"{two[work]:.3g} s", f"{one[work] / two[work]:.2f}"]
        for work, text in WORKS.items()
    ]


def slices(folder: Path) -> list[list[str]]:
    """A row for a head that examples/cluster reconstructs; nothing without the wheels of the examples."""
    if not folder.exists():
        return []
    with TemporaryDirectory() as output:
        Examples(folder, Path(sys.executable), ["cluster"]).measure("cluster", Path(output))
        figures = json.loads((Path(output) / "cuda.json").read_text())["figures"]
    work, one, two = figures[0]["work"], *(it["seconds"] for it in figures if it["who"] in {"1 worker", "2 workers"})
    return [[f"`tomography`, {work}, by `examples/cluster`", f"{one:.3g} s", f"{two:.3g} s", f"{one / two:.2f}"]]


def report(commit: str, counts: dict[str, Count], rows: list[list[str]]) -> str:
    lines = [
        "# What ran on two GPUs",
        "",
        "Written by `ci/gpu two`; do not edit.",
        "",
        f"- GPUs and driver: {gpus()} × {driver()}",
        f"- date: {today()}",
        f"- commit: {commit}",
        f"- {installed()}",
        "- command: `ci/gpu build`, then `ci/gpu two`",
        "",
        "Passed conformance tests that need a second GPU. Arrays live on the GPU that their thread has set. Functions run where their",
        "arguments are, also PyTorch tensors and JAX arrays. Arguments on two GPUs are refused.",
        "",
        *rows_to_markdown([["package", "two GPUs"], *([f"`{name}`", str(count)] for name, count in counts.items())]),
        "Dask with one worker and with two, processes with a GPU each, of the package `cu`; the data is in their memory before the",
        "clock starts:",
        "",
        *rows_to_markdown([["work", "one GPU", "two GPUs", "times as fast"], *rows]),
    ]
    return "\n".join(lines)


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--built", type=Path, required=True)
    parser.add_argument("--output", type=Path, required=True)
    arguments = parser.parse_args()
    built: Path = arguments.built.resolve()
    packages = [package for package in packages_in(built) if package.conformance]
    with ThreadPoolExecutor() as pool:
        list(pool.map(Tested.install, packages))
        counts = list(pool.map(tests, packages))
    rows = dask(next(package for package in packages if package.name == "cu")) + slices(built / "examples")
    counted = {package.name: count for package, count in zip(packages, counts, strict=True)}
    text = report((built / "commit").read_text().strip(), counted, rows)
    arguments.output.write_text(text, encoding="utf-8")
    print(text)
    return end(counts)


if __name__ == "__main__":
    sys.exit(main())
