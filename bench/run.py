"""Measures every package and its peers on this GPU, one after the other, and writes what it saw.

    run.py BUILT OUTPUT [foreign]

BUILT is the folder that `ci/gpu build` has filled. OUTPUT gets performance.json, performance.md and the plots.
With `foreign`, only small calls are measured, on arrays of other libraries and in programs of JAX too; OUTPUT gets frameworks.json
and frameworks.md, and the tables are printed.
"""

from __future__ import annotations

import json
import os
import subprocess
import sys
import tempfile
from collections.abc import Callable, Iterable
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

import frameworks
from goals import TVM_FFI
from machine import driver, installed, today
from measured import LIMIT, Measured
from package import Package, make, packages_in
from page import write
from plots import draw
from programs import Programs
from record import Record
from table import foreign_tables

HERE = Path(__file__).parent
DOCS = HERE.parent / "docs"  # with the results that need no GPU
PEERS = {
    "CuPy": "cupy_peer.CuPy",
    "PyTorch": "torch_peer.Torch",
    "Numba": "numba_peer.Numba",
    "CuVec": "cuvec_peer.CuVec",
    "NumCu": "numcu_peer.NumCu",
    "raw ctypes": "raw_ctypes.RawCtypes",
}
WITHOUT_START = ("raw ctypes",)  # it imports nothing but NumPy
FOREIGN = {
    **{name: PEERS[name] for name in ("CuPy", "PyTorch", "Numba")},
    TVM_FFI: "tvm_ffi_peer.TvmFfi",
}
IN_JAX = {
    "jax-tvm-ffi": "jax_tvm_ffi_peer.JaxTvmFfi",
    "jax-tvm-ffi, in graphs": "jax_tvm_ffi_peer.InGraphs",
    "JAX": "jax_peer.Jax",
    "JAX, kept apart": "jax_peer.KeptApart",
}
STARTS = 3  # processes
PROCESSES = 3  # of each package, for calls on arrays of other libraries
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
    if name not in WITHOUT_START:
        starts = "package" if subject.startswith("generated.") else name
        measured["records"] += start(python, starts, name, environment)
    return measured


def run(
    python: Path, subject: str, name: str, environment: dict[str, str], *again: str, timeout: float | None = None
) -> dict:
    """Output of measure.py."""
    with tempfile.NamedTemporaryFile(suffix=".json") as output:
        command = [python, HERE / "measure.py", subject, name, output.name, *again]
        subprocess.run(command, check=True, env=environment, timeout=timeout)
        return json.load(output)


def again(runs: list[Callable[[], list[list]]]) -> list[list]:
    """The records of a part of measure.py, of more processes, one of each subject after the other."""
    print("measuring again", file=sys.stderr, flush=True)
    return [record for records_of_one in runs for record in records_of_one()]


def fastest(records: list[list]) -> list[Record]:
    """For each work, the record of the fastest process.

    Some processes are slow from their beginning to their end, in small calls by a half or more, the baseline's as
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


def with_tools(environment: dict[str, str]) -> dict[str, str]:
    """An environment of tvm-ffi and jax-tvm-ffi alone: each folder in it makes every import slower."""
    return {**environment, "PYTHONPATH": f"{HERE}:{os.environ['BENCH_TOOLS']}"}


def compile_tvm_ffi(environment: dict[str, str]) -> None:
    """Keeps its first import out of every measurement."""
    subprocess.run([sys.executable, "-c", "import subjects.tvm_ffi_peer"], check=True, env=with_tools(environment))


def packages_of(built: Path) -> list[Package]:
    """One of each kernel language: a call is the same whatever the bindings."""
    return [package for package in packages_in(built.resolve()) if package.name in ("cu", "rust")]


class Subjects:
    """How each is run: its Python, its class and its environment."""

    def __init__(
        self, packages: list[Package], peers: dict[str, tuple[Path, str]], environment: dict[str, str]
    ) -> None:
        self.all = {package.name: (package.python, "generated.Generated") for package in packages} | peers
        self.environment = environment

    def measure(self, name: str) -> dict:
        return measure(*self.all[name], name, self.environment)

    def again(self, name: str) -> list[list]:
        return run(*self.all[name], name, self.environment, "again")["records"]

    def records_of_foreign(self, name: str) -> list[list]:
        """With tvm-ffi, in whose turns the calls of packages are timed."""
        return run(*self.all[name], name, with_tools(self.environment), "foreign")["records"]

    def foreign(self, names: Iterable[str]) -> list[Callable[[], list[list]]]:
        return [lambda name=name: self.records_of_foreign(name) for name in names]


class ProgramsOfJax:
    """Programs of JAX, each in a process of its own. If one fails, what others have measured is not lost."""

    def __init__(self, packages: list[Package], others: Iterable[str], environment: dict[str, str]) -> None:
        self.all = [(package.name, package.python, "generated_in_jax.GeneratedInJax") for package in packages]
        self.all += [(name, Path(sys.executable), IN_JAX[name]) for name in others]
        self.environment = environment
        self.failed: dict[str, None] = {}

    def foreign(self) -> list[Callable[[], list[list]]]:
        return [lambda it=it: self.records(*it) for it in self.all]

    def records(self, name: str, python: Path, subject: str) -> list[list]:
        environment = with_tools(self.environment) if name.startswith("jax-tvm-ffi") else self.environment
        try:
            return run(python, subject, name, environment, "foreign", timeout=120)["records"]
        except subprocess.SubprocessError as error:
            print(f"{name} in programs of JAX: {error}", file=sys.stderr, flush=True)
            self.failed[name] = None
            return []


def bench(built: Path, output: Path, packages: list[Package], environment: dict[str, str]) -> None:
    with tempfile.TemporaryDirectory() as folder:
        work = Path(folder)
        with ThreadPoolExecutor() as pool:  # nothing is measured yet
            installed_packages = pool.map(Package.install, packages)
            installed_cuvec = pool.submit(with_cuvec, built / "bench", work)
            programs = Programs(work)
            list(installed_packages)
            cuvec = installed_cuvec.result()
        environment |= programs.libraries()
        limits = programs.limits()
        pythons = {"CuVec": cuvec, "NumCu": cuvec}
        peers = {name: (pythons.get(name, Path(sys.executable)), kind) for name, kind in PEERS.items()}
        subjects = Subjects(packages, peers, environment)
        each = {name: subjects.measure(name) for name in subjects.all}
        runs = [lambda: programs.limits("again"), *(lambda name=name: subjects.again(name) for name in subjects.all)]
        content = {
            "about": about(built),
            "packages": [package.name for package in packages],
            "kinds": {LIMIT: ["y += a x", 3], **{name: one["kind"] for name, one in each.items()}},
        }
        records = [*limits, *(record for one in each.values() for record in one["records"])]
        figures = output / "performance.json"
        figures.write_text(json.dumps({**content, "records": fastest(records)}))  # kept, should what follows not end
        for _ in range(TURNS):
            records += again(runs)
            figures.write_text(json.dumps({**content, "records": fastest(records)}))
    write(figures, DOCS, output / "performance.md")
    draw(Measured.read(figures), output)


def bench_foreign(built: Path, output: Path, packages: list[Package], environment: dict[str, str]) -> None:
    work = tempfile.TemporaryDirectory()
    with ThreadPoolExecutor() as pool:
        compiled = pool.submit(compile_tvm_ffi, environment)
        list(pool.map(Package.install, packages))
        environment |= Programs(Path(work.name)).libraries()
        compiled.result()
    seen = about(built, "apache_tvm_ffi", "jax_tvm_ffi")
    names = [package.name for package in packages]
    peers = {name: (Path(sys.executable), kind) for name, kind in FOREIGN.items()}
    subjects = Subjects(packages, peers, environment)
    in_jax = ProgramsOfJax(packages, IN_JAX, environment)
    measured_now = dict.fromkeys([*subjects.all, *(name for name, *_ in in_jax.all)])
    content = {"about": seen, "packages": names, "kinds": {name: ["y += a x", 3] for name in measured_now}}
    figures = output / "frameworks.json"
    processes: list[list[list]] = [[] for _ in range(PROCESSES)]
    every, ours = subjects.foreign(subjects.all), subjects.foreign(names)
    for number, runs in [(0, every), (0, in_jax.foreign()), *((number, ours) for number in range(1, PROCESSES))]:
        processes[number] += again(runs)
        done = [records for records in processes if records]
        content["processes"] = done
        figures.write_text(json.dumps(content))  # kept, should what follows not end
        frameworks.write(figures, output / "frameworks.md")
    print(*foreign_tables(Measured.processes(figures)), sep="\n")
    if in_jax.failed:
        sys.exit(f"failed in programs of JAX, for the reasons above: {'; '.join(in_jax.failed)}")


def tools(built: Path, names: tuple[str, ...]) -> list[str]:
    """Names and versions of what no environment here has."""
    wheels = [wheel for name in names for wheel in sorted((built / "functions").glob(f"{name}-*.whl"))[-1:]]
    return [" ".join(wheel.name.split("-")[:2]).replace("_", "-") for wheel in wheels]


def about(built: Path, *names: str) -> dict[str, str]:
    return {
        "GPU and driver": driver(),
        "date": today(),
        "commit": Path(built, "commit").read_text().strip(),
        "versions": ", ".join([installed(), *tools(built, names)]),
    }


def main() -> None:
    built, output, *only = sys.argv[1:]
    part = bench_foreign if only[:1] == ["foreign"] else bench
    packages = packages_of(Path(built))
    environment = {**os.environ, "CUVEC_DEVICE": "cuda", "PYTHONPATH": str(HERE)}
    environment["XLA_PYTHON_CLIENT_PREALLOCATE"] = "false"  # JAX: leave the GPU's memory
    part(Path(built), Path(output), packages, environment)


if __name__ == "__main__":
    main()
