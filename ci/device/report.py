"""Runs the suites and the sanitizers of every package on this GPU and writes the report, with what docs/gpu.json says
of the packages that do not run now.

Ends with a test runner's line, and with a failure when anything failed or was skipped.
"""

from __future__ import annotations

import argparse
import json
import sys
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from typing import NamedTuple

import examples
import interop
from machine import driver, gpus, installed, today
from rust_kernels import RustKernels
from suite import Count, counts_in, end

from package import Package, packages_in

BEFORE = Path(__file__).parents[2] / "docs/gpu.json"


class Ran(NamedTuple):
    """What was counted of a package, and when."""

    commit: str
    date: str
    counts: list[Count]


class Compared(NamedTuple):
    """What was measured of kernels in both languages, and when."""

    commit: str
    date: str
    passed: int
    rows: list[list[str]]


class Record(NamedTuple):
    packages: dict[str, Ran]
    kernels: Compared | None


def read(path: Path) -> Record:
    if not path.exists():
        return Record({}, None)
    record = json.loads(path.read_text())
    packages = {
        name: Ran(commit, date, [Count(*count) for count in counts])
        for name, (commit, date, counts) in record["packages"].items()
    }
    return Record(packages, Compared(*record["kernels"]) if record["kernels"] else None)


def table(rows: list[list[str]]) -> list[str]:
    head, *body = (f"| {' | '.join(row)} |" for row in rows)
    return [head, "|" + "---|" * len(rows[0]), *body, ""]


def counts_table(counts: dict[str, list[Count]]) -> list[str]:
    """Passed tests of each package, one column a run; what failed or was skipped is named."""
    runs = [count.what for count in next(iter(counts.values()))]
    rows = [["package", *runs]]
    rows += [[f"`{package}`", *(str(count) for count in row)] for package, row in counts.items()]
    return table(rows)


def packages_table(ran: dict[str, Ran]) -> list[str]:
    head = ["package", *(count.what for count in next(iter(ran.values())).counts), "commit", "date"]
    return table([head, *([f"`{name}`", *map(str, it.counts), it.commit, it.date] for name, it in ran.items())])


def report(record: Record, shared: list[list[str]], programs: dict[str, list[Count]]) -> str:
    lines = [
        "# What ran on a GPU",
        "",
        "Written by `ci/gpu`; do not edit.",
        "",
        f"- GPUs and driver of the last run: {gpus()} × {driver()}",
        f"- {installed()}, in the last run",
        "- packages: `cuvec-new gpupkg` with each bridge and kernel kind, with `CUVEC_DEVICE=cuda`",
        "- command: `ci/gpu`",
        "",
        "How fast the packages are is in [performance.md](performance.md).",
        "",
        "Passed tests. The suite is the contract that every package ships; memcheck and racecheck are those of",
        "compute-sanitizer, over the tests that launch the package's own kernels. Packages need not have run together;",
        "their values agree with those of packages that did.",
        "",
        *packages_table(record.packages),
        "Memory shared with other libraries, by tests of the suite that compare the addresses on both sides:",
        "",
        *table(shared),
    ]
    if programs:
        lines += [
            "Programs on packages, with their pictures in [examples/](../examples/README.md):",
            "",
            *table(examples.rows(programs)),
        ]
    if kernels := record.kernels:
        lines += [
            "The same function in both languages: the time of a stencil with a tile in shared memory in CUDA C++, and as",
            "its numbers follow from a formula in Rust (`ci/kernels`), and builds on two CPU cores. The part of",
            "Rust's library that kernels need was compiled before. Programs that make kernels go wrong, and that run",
            f"the stencil, alone and under the sanitizers: {kernels.passed} passed. Seen on {kernels.date}, at {kernels.commit}.",
            "",
            *table(kernels.rows),
        ]
    return "\n".join(lines)


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--built", type=Path, required=True)
    parser.add_argument("--output", type=Path, required=True)
    parser.add_argument("--only", nargs="*", help="packages such as pyo3-cu; of the others, what ran before")
    parser.add_argument(
        "--ran", type=Path, help="what a run of the same wheels has printed that was cut: that is not run again"
    )
    arguments = parser.parse_args()
    built: Path = arguments.built.resolve()
    commit = (built / "commit").read_text().strip()
    packages = [package for package in packages_in(built) if arguments.only is None or package.name in arguments.only]
    with ThreadPoolExecutor(max_workers=6) as pool:
        list(pool.map(Package.install, packages))
    if arguments.only is None:  # else it has the values of packages that ran before
        (built / "values.npz").unlink(missing_ok=True)
    by_name = {package.name: package for package in packages}
    with_kernels = (built / "kernels").exists() and "pyo3-rust" in by_name
    kernels = RustKernels(built / "kernels", by_name["pyo3-rust"].python) if with_kernels else None
    count = gpus()
    ran_before = counts_in(arguments.ran.read_text()) if arguments.ran else {}
    for number, package in enumerate(packages):
        package.take(number % count)
        package.ran = ran_before.get(package.name, {})
    with ThreadPoolExecutor(max_workers=6 * count) as pool:
        counts = dict(zip(by_name, pool.map(Package.runs, packages), strict=True))
    for package in packages:
        counts[package.name].append(package.agrees())
    before = read(BEFORE)
    ran = before.packages | {name: Ran(commit, today(), it) for name, it in counts.items()}
    compared = (
        Compared(commit, today(), kernels.count.passed, kernels.rows) if kernels and kernels.rows else before.kernels
    )
    record = Record(dict(sorted(ran.items())), compared)
    arguments.output.with_suffix(".json").write_text(json.dumps(record._asdict(), indent=1) + "\n")
    shared = interop.rows(packages[0].folder / "suite.xml")
    wanted = (built / "examples").exists() and (arguments.only is None or "examples" in arguments.only)
    programs = examples.installed(built).runs() if wanted else {}
    text = report(record, shared, programs)
    arguments.output.write_text(text, encoding="utf-8")
    print(text)
    every = [count for row in (*counts.values(), *programs.values()) for count in row]
    return end([*every, kernels.count] if kernels else every)


if __name__ == "__main__":
    sys.exit(main())
