"""Runs the tests that need two GPUs, of every package, and writes the report.

Ends with a test runner's line, and with a failure when anything failed or was skipped.
"""

from __future__ import annotations

import argparse
import sys
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

from machine import driver, installed, today
from report import counts_table
from suite import Count, end, run_suite

from package import Package, packages_in


def tests(package: Package) -> Count:
    return run_suite("two GPUs", [package.suite], sorted(package.tests.glob("test_*two_gpus.py")), package.folder)


def report(commit: str, counts: dict[str, list[Count]]) -> str:
    lines = [
        "# What ran on two GPUs",
        "",
        "Written by `ci/gpu two`; do not edit.",
        "",
        f"- GPUs and driver: 2 × {driver()}",
        f"- date: {today()}",
        f"- commit: {commit}",
        f"- {installed()}",
        "- command: `ci/gpu build`, then `ci/gpu two`",
        "",
        "Passed tests of each package's runtime that need a second GPU: arrays live on the GPU that their thread has set,",
        "functions run where their arguments are, also PyTorch's tensors and JAX's arrays, and arguments on two GPUs are refused.",
        "",
        *counts_table(counts),
    ]
    return "\n".join(lines)


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--built", type=Path, required=True)
    parser.add_argument("--output", type=Path, required=True)
    arguments = parser.parse_args()
    built: Path = arguments.built.resolve()
    packages = packages_in(built)
    with ThreadPoolExecutor(max_workers=4) as pool:
        list(pool.map(Package.install, packages))
        counts = {package.name: [count] for package, count in zip(packages, pool.map(tests, packages), strict=True)}
    text = report((built / "commit").read_text().strip(), counts)
    arguments.output.write_text(text, encoding="utf-8")
    print(text)
    return end(count for row in counts.values() for count in row)


if __name__ == "__main__":
    sys.exit(main())
