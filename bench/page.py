"""docs/performance.md: what was measured on a GPU, and then a section for each of the other measurements.

    page.py PERFORMANCE.json SECTIONS PAGE.md

SECTIONS is the folder with the JSON files of the sections; one that is not there has no section.
"""

from __future__ import annotations

import json
import sys
from pathlib import Path

from goals import GOALS
from measured import Measured
from sections import cpu, scaffolding
from table import goals, numpy_floor, on_tensor_cores, parts, peers

GENERATED = "Written by `ci/gpu bench`; do not edit."
SECTIONS = {"cpu.json": cpu.section, "scaffolding.json": scaffolding.section}  # in the order of the page


def of_gpu(measured: Measured) -> list[str]:
    return [
        "# Performance",
        "",
        GENERATED,
        "",
        *(f"- {what}: {value}" for what, value in measured.about.items()),
        "- command: `ci/gpu bench`; all measurements are of one run, medians of several batches (performance.json has the",
        "  quartiles)",
        "- small calls, which some processes run more slowly than others: the fastest process counts (`bench/run.py`)",
        "- results: compared with float64",
        "",
        "## Goals",
        "",
        "The baseline is plain CUDA C++ (`bench/cuda.cu`); in bold is the ratio to it. For data that the host and",
        "the GPU use by turns, it is the fastest of five policies at that size. Managed memory migrates by page faults or by",
        "prefetching, or is mapped; pinned memory is used in place or copied. Timed are the calls and then the host's reading",
        "of a value of every page. *once*: new arrays; *alternating*: the same arrays again and again.",
        "",
        *goals([measured], GOALS),
        "The goals of small calls are in [frameworks.md](frameworks.md), which has three processes of each package, in turns with the",
        "launch in C and with tvm-ffi.",
        "",
        *numpy_floor(measured),
        "## Other libraries",
        "",
        *peers(measured),
        "![Bandwidth over size](bandwidth.svg)",
        "![Cost of a small call](calls.svg)",
        "![Round trip over size](round-trip.svg)",
        "",
        *on_tensor_cores(measured),
        "## Where the time of a small call goes",
        "",
        "A call on empty arrays is a call from Python, the conversion of its arguments, the checks, and no launch. The rest",
        "is what a launch takes beyond CUDA C++: streams to be ordered, memory to be looked after, the GIL.",
        "",
        *parts(measured),
        "## Where managed memory is",
        "",
        "Besides the two patterns above, *consecutive*: 30 calls between the host's accesses, a call's share. Policies that",
        "copy or move are told when; the packages see it.",
        "",
        "![Three patterns over size, compared with fixed policies](placement.svg)",
        "",
        "## On two GPUs",
        "",
        "How much faster Dask is with a worker on each of two GPUs is in [two-gpus.md](two-gpus.md).",
        "",
    ]


def others(folder: Path) -> list[str]:
    found = {name: section for name, section in SECTIONS.items() if (folder / name).exists()}
    return [line for name, section in found.items() for line in section(json.loads((folder / name).read_text()))]


def write(figures: Path, sections: Path, page: Path) -> None:
    lines = [*of_gpu(Measured.read(figures)), *others(sections)]
    page.write_text("\n".join(lines), encoding="utf-8")


if __name__ == "__main__":
    write(*map(Path, sys.argv[1:]))
