"""Runs the suite, the sanitizers and the figures on this GPU and writes the report.

Ends with a test runner's line, and with a failure when anything failed or was skipped.
"""

from __future__ import annotations

import argparse
import datetime
import os
import subprocess
import sys
from importlib.metadata import PackageNotFoundError, version
from pathlib import Path
from typing import NamedTuple
from xml.etree import ElementTree

# Tests that launch kernels of the package and of no other library, for the sanitizers to watch.
WATCHED = ["test_axpy.py", "test_dot.py", "test_address.py", "test_arguments.py", "test_placement.py"]
PEERS = ["numpy", "cupy-cuda13x", "torch", "jax", "numba", "numba-cuda", "dask"]


class Count(NamedTuple):
    what: str
    passed: int
    failed: int
    skipped: int


def count(what: str, junit: Path) -> Count:
    suite = ElementTree.parse(junit).getroot().find("testsuite")
    assert suite is not None
    tests, skipped = int(suite.get("tests", 0)), int(suite.get("skipped", 0))
    failed = int(suite.get("failures", 0)) + int(suite.get("errors", 0))
    return Count(what, tests - failed - skipped, failed, skipped)


def run_suite(what: str, tests: list[Path], prefix: list[str], folder: Path) -> Count:
    """One run of pytest; without a report, because it crashed, everything has failed."""
    junit = folder / "junit.xml"
    junit.unlink(missing_ok=True)
    print(f"\n=== {what} ===", flush=True)
    command = [*prefix, sys.executable, "-m", "pytest", "-q", "-p", "no:cacheprovider", f"--junitxml={junit}", *tests]
    status = subprocess.run(command, check=False).returncode
    if not junit.exists():
        return Count(what, 0, 1, 0)
    counted = count(what, junit)
    # A sanitizer that found something ends with a status of its own while all tests pass.
    return counted if status in (0, 1) else counted._replace(failed=counted.failed + 1)


def sanitizer(tool: str) -> list[str]:
    return ["compute-sanitizer", f"--tool={tool}", "--error-exitcode=86", "--target-processes=application-only"]


def driver() -> str:
    query = ["nvidia-smi", "--query-gpu=name,driver_version", "--format=csv,noheader"]
    return subprocess.run(query, check=True, capture_output=True, text=True).stdout.splitlines()[0]


def installed() -> str:
    found = []
    for name in PEERS:
        try:
            found.append(f"{name} {version(name)}")
        except PackageNotFoundError:
            continue
    return ", ".join(found)


def write(path: Path, commit: str, counts: list[Count], figures: list) -> None:
    lines = [
        "# What ran on a GPU",
        "",
        "Written by `ci/gpu`; do not edit.",
        "",
        f"- GPU and driver: {driver()}",
        f"- date: {datetime.datetime.now(datetime.UTC):%Y-%m-%d}",
        f"- commit: {commit}",
        f"- Python {sys.version.split()[0]}, {installed()}",
        "- package: `cuvec-new gpupkg` (bridge pyo3, kernels cu), with `CUVEC_DEVICE=cuda`",
        "- command: `ci/gpu`",
        "",
        "| tests | passed | failed | skipped |",
        "|---|---|---|---|",
        *(f"| {c.what} | {c.passed} | {c.failed} | {c.skipped} |" for c in counts),
        "",
        "Figures of one run; the limit is plain CUDA C++ (`ci/device/limits.cu`), medians of several batches.",
        "",
        "| work | measured | limit | ratio | goal |",
        "|---|---|---|---|---|",
        *(f"| {' | '.join(figure)} |" for figure in figures),
        "",
    ]
    path.write_text("\n".join(lines), encoding="utf-8")
    print("\n".join(lines))


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--built", type=Path, required=True)
    parser.add_argument("--output", type=Path, required=True)
    arguments = parser.parse_args()
    built: Path = arguments.built.resolve()
    tests = built / "gpupkg" / "tests"

    counts = [run_suite("contract suite", [tests], [], built)]
    watched = [tests / name for name in WATCHED]
    counts += [
        run_suite(f"kernels under compute-sanitizer {tool}", watched, sanitizer(tool), built)
        for tool in ("memcheck", "racecheck")
    ]
    os.environ.pop("XLA_PYTHON_CLIENT_PREALLOCATE", None)
    import figures  # needs a GPU, and CuPy

    write(arguments.output, (built / "commit").read_text().strip(), counts, figures.measure(built))
    passed, failed, skipped = (sum(c[i] for c in counts) for i in (1, 2, 3))
    print(f"{passed} passed, {failed} failed, {skipped} skipped")
    return 1 if failed or skipped else 0


if __name__ == "__main__":
    sys.exit(main())
