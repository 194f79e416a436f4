"""Compares the bridges without a GPU, in one run: lines of code, wheel, build, import and the cost of a small call.

    bridges.py [--output docs/bridges.md] [BRIDGE…]

What the GPU runs counted is taken from docs/gpu.json.
"""

from __future__ import annotations

import argparse
import contextlib
import datetime
import json
import os
import re
import statistics
import sys
import tempfile
import time
from pathlib import Path
from typing import NamedTuple

from environment import Environment
from generator import Combination, combinations, scaffold
from shell import ROOT, run

SOURCES = {".rs", ".cpp", ".hpp", ".h", ".c", ".i", ".py", ".cmake"}
IMPORT = """
import time, numpy
start = time.perf_counter()
import mypkg
print(1e3 * (time.perf_counter() - start))
"""
CALL = """
import statistics, time
from mypkg import axpy, cuvec
x, y = cuvec.ones(4), cuvec.ones(4)
times = []
for _ in range(50):
    start = time.perf_counter()
    for _ in range(10_000):
        axpy(0.0, x, y)
    times.append((time.perf_counter() - start) / 10_000)
print(1e9 * statistics.median(times))
"""


class Row(NamedTuple):
    bridge: str
    own_lines: int
    shared_lines: int
    wheel: str
    kilobytes: float
    build_seconds: float
    import_milliseconds: float
    call_nanoseconds: float


def lines(*folders: Path) -> int:
    """Lines of code that are not blank, tests and lock files apart."""
    found = [path for folder in folders for path in folder.rglob("*") if path.is_file()]
    found = [path for path in found if path.name.removesuffix(".hbs").endswith(tuple(SOURCES))]
    texts = [path.read_text() for path in found if "tests" not in path.parts and "partials" not in path.parts]
    return sum(1 for text in texts for line in text.splitlines() if line.strip())


def shared_layers(bridge: str) -> list[Path]:
    layer = (ROOT / "templates/bridge" / bridge / "layer.toml").read_text()
    included = re.search(r"^includes = \[(.*)\]", layer, flags=re.MULTILINE)
    names = re.findall(r'"([^"]+)"', included[1]) if included else []
    return [ROOT / "templates/shared" / name for name in names if name != "cpp"]  # that one is the host's


def measure(bridge: str, folder: Path) -> Row:
    def progress(what: str) -> None:
        print(f"{bridge}: {what}", file=sys.stderr, flush=True)

    package = scaffold(folder / "mypkg", bridge=bridge)
    environment = Environment(folder / "venv", "3.12")
    environment.install("numpy")
    progress("build")
    start = time.monotonic()
    wheel = environment.wheel(package, folder / "wheel")
    seconds = time.monotonic() - start
    environment.pip("install", "--quiet", "--no-deps", wheel)
    progress("measure")
    imports = [float(environment.python("-c", IMPORT, cwd=folder)) for _ in range(11)]
    call = float(environment.python("-c", CALL, cwd=folder, env={"CUVEC_DEVICE": "cpu"}))
    return Row(
        bridge,
        lines(ROOT / "templates/bridge" / bridge),
        lines(*shared_layers(bridge)),
        "-".join(wheel.stem.split("-")[2:4]),
        wheel.stat().st_size / 1e3,
        seconds,
        statistics.median(imports),
        call,
    )


def gpu_counts(bridge: str) -> str:
    """The numbers of docs/gpu.json: contract suite, owner's tests, memcheck, racecheck, agreement."""
    _commit, _date, counts = json.loads((ROOT / "docs/gpu.json").read_text())["packages"][f"{bridge}-cu"]
    return " / ".join(str(passed) for _what, passed, *_ in counts)


def report(rows: list[Row]) -> str:
    commit = run("git", "describe", "--always", "--dirty", "--abbrev=12", "--exclude=*", cwd=ROOT).strip()
    head = [
        "| bridge | lines of code, own + shared | wheel | kB | build | import | `axpy` of 4 float32 | GPU suite |",
        "|---|---|---|---|---|---|---|---|",
    ]
    body = [
        (
            f"| `{row.bridge}` | {row.own_lines} + {row.shared_lines} | {row.wheel} | {row.kilobytes:.0f} "
            f"| {row.build_seconds:.0f} s | {row.import_milliseconds:.1f} ms | {row.call_nanoseconds:.0f} ns "
            f"| {gpu_counts(row.bridge)} |"
        )
        for row in rows
    ]
    table = "\n".join([*head, *body])
    cores = len(os.sched_getaffinity(0))
    return f"""# The bridges side by side

Written by `ci/bridges`; do not edit.

- date: {datetime.datetime.now(datetime.UTC):%Y-%m-%d}
- commit: {commit}
- one run without a GPU, {cores} cores, Python 3.12

{table}

Lines that are not blank: the bridge's own folder in `templates/`, and the layers that it shares with other bridges;
hosts and kernels, which all have in common, are not counted. The wheel is the one that Python 3.12 builds. Build:
`pip wheel` with isolation, nvcc included. Import: what `import mypkg` adds to `import numpy`. The call: median over 50
batches of 10,000, arrays of `cuvec` on the CPU. GPU suite: passed tests of the contract suite / of the owner's tests / under
memcheck / under racecheck / of agreement with the other packages, from [gpu.md](gpu.md).
"""


def main() -> None:
    every = [
        combination.bridge for combination in combinations() if combination == Combination(combination.bridge, "cu")
    ]
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("bridges", nargs="*", default=every, metavar="BRIDGE")
    parser.add_argument("--output", type=Path, default=ROOT / "docs/bridges.md")
    arguments = parser.parse_args()
    rows = []
    for bridge in arguments.bridges:
        with tempfile.TemporaryDirectory() as folder, contextlib.redirect_stdout(None):
            rows.append(measure(bridge, Path(folder)))
    arguments.output.write_text(report(rows), encoding="utf-8")


if __name__ == "__main__":
    main()
