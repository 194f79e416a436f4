"""Measures every package and its peers on this GPU, one after the other, and writes what it saw.

    run.py BUILT OUTPUT [PACKAGE…]

BUILT is the folder that `ci/gpu build` has filled. OUTPUT gets performance.json, performance.md and the plots.
"""

from __future__ import annotations

import json
import os
import subprocess
import sys
import tempfile
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

from environment import make
from machine import driver, installed, today
from measured import LIMIT, Measured
from page import write
from plots import draw
from programs import Programs
from record import Record

from package import Package

HERE = Path(__file__).parent
DOCS = HERE.parents[1] / "docs"  # with the figures of what needs no GPU
PEERS = {
    "CuPy": "cupy_peer.CuPy",
    "PyTorch": "torch_peer.Torch",
    "Numba": "numba_peer.Numba",
    "CuVec": "cuvec_peer.CuVec",
    "NumCu": "numcu_peer.NumCu",
    "raw ctypes": "raw_ctypes.RawCtypes",
}
STARTS = 3  # processes
TURNS = 2  # in which some of it is measured again


def with_cuvec(built: Path, work: Path) -> Path:
    """A Python that has CuVec and NumCu, built here."""
    python = make(work / "cuvec")
    pip = [python, "-m", "pip", "install", "--quiet", "--no-index", "--no-deps"]
    subprocess.run([*pip, *sorted(built.glob("*.whl"))], check=True)
    for name in ("cuvec", "numcu"):
        (source,) = built.glob(f"{name}-*.tar.gz")
        version = source.name.removeprefix(f"{name}-").removesuffix(".tar.gz")
        environment = {
            **os.environ,
            "SETUPTOOLS_SCM_PRETEND_VERSION": version,
            "PATH": f"{python.parent}:{os.environ['PATH']}",
        }
        subprocess.run([*pip, "--no-build-isolation", source], check=True, env=environment)
    return python


def measure(python: Path, subject: str, name: str, environment: dict[str, str]) -> dict:
    """The kind and the records of one subject, with how long its import and its first call take."""
    print(f"measuring {name}", file=sys.stderr, flush=True)
    measured = run(python, subject, name, environment)
    if name != "raw ctypes":
        starts = "package" if subject.startswith("generated.") else name
        measured["records"] += start(python, starts, name, environment)
    return measured


def run(python: Path, subject: str, name: str, environment: dict[str, str], *again: str) -> dict:
    """What measure.py says."""
    with tempfile.NamedTemporaryFile(suffix=".json") as output:
        command = [python, HERE / "measure.py", subject, name, output.name, *again]
        subprocess.run(command, check=True, env=environment)
        return json.load(output)


def again(runs: list[Callable[[], list[list]]]) -> list[list]:
    """The records of measure.py's `again`, of more processes, one of each subject after the other."""
    records = []
    for turn in range(TURNS):
        print(f"measuring again, {turn + 1} of {TURNS}", file=sys.stderr, flush=True)
        for records_of_one in runs:
            records += records_of_one()
    return records


def fastest(records: list[list]) -> list[Record]:
    """Of each work, the record of the fastest process.

    Some processes are slow from their beginning to their end, in small calls by a half or more, those of the limit as
    well: with the same programs and arrays, others are not. The largest arrays of some are read more slowly by the GPU, by
    up to a tenth.
    """
    found: dict[tuple[str, str, int], Record] = {}
    for record in map(Record._make, records):
        key = record.subject, record.work, record.size
        found[key] = min(record, found.get(key, record), key=lambda record: record.median)
    return [*found.values()]


def start(python: Path, starts: str, name: str, environment: dict[str, str]) -> list[list]:
    command = [python, HERE / "start.py", starts]
    times = [
        [float(n) for n in subprocess.check_output(command, env=environment, text=True).split()]
        for _ in range(STARTS + 1)
    ][1:]  # the first may have had to compile to bytecode
    return [
        [name, work, 0, sorted(column)[STARTS // 2], min(column), max(column)]
        for work, column in zip(("import numpy", "import", "first call"), zip(*times, strict=True), strict=True)
    ]


def main() -> None:
    built, output, *only = sys.argv[1:]
    packages = [Package(folder) for folder in sorted(Path(built).resolve().iterdir()) if (folder / "gpupkg").is_dir()]
    packages = [package for package in packages if not only or package.name in only]
    environment = {**os.environ, "CUVEC_DEVICE": "cuda", "PYTHONPATH": str(HERE)}
    with tempfile.TemporaryDirectory() as folder:
        work = Path(folder)
        with ThreadPoolExecutor() as pool:  # nothing is measured yet
            installed_packages = pool.map(Package.install, packages)
            installed_cuvec = pool.submit(with_cuvec, Path(built, "bench"), work)
            programs = Programs(work)
            list(installed_packages)
            cuvec = installed_cuvec.result()
        environment["BENCH_RAW_CTYPES"] = str(programs.raw_ctypes)
        limits = programs.limits()
        subjects = {package.name: (package.python, "generated.Generated") for package in packages}
        for name, subject in PEERS.items():
            subjects[name] = cuvec if name in ("CuVec", "NumCu") else Path(sys.executable), subject
        each = {name: measure(*subject, name, environment) for name, subject in subjects.items()}
        runs = [lambda: programs.limits("again")]
        for name, subject in subjects.items():
            runs.append(lambda name=name, subject=subject: run(*subject, name, environment, "again")["records"])
        more = again(runs)
    about = {
        "GPU and driver": driver(),
        "date": today(),
        "commit": Path(built, "commit").read_text().strip(),
        "versions": installed(),
    }
    content = {
        "about": about,
        "packages": [package.name for package in packages],
        "kinds": {LIMIT: ["y += a x", 3], **{name: one["kind"] for name, one in each.items()}},
        "records": fastest([*limits, *(record for one in each.values() for record in one["records"]), *more]),
    }
    figures = Path(output, "performance.json")
    figures.write_text(json.dumps(content))
    write(figures, DOCS, Path(output, "performance.md"))
    draw(Measured.read(figures), Path(output))


if __name__ == "__main__":
    main()
