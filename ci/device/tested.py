"""Runs of a package that `ci/gpu build` has made: tests, kernels under the sanitizers, and programs."""

import json
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

from machine import gpus
from suite import Count, libraries_of_cuda, run_programs, run_suite

import package

ROOT = Path(__file__).resolve().parents[2]
HEAT = ROOT / "bench/heat.py"
OPCHECK = ROOT / "ci/device/opcheck.py"
OUT_OF_BOUNDS = ROOT / "ci/kernels/out_of_bounds.py"
LANGUAGES = {"cu": "CUDA C++", "rust": "Rust"}
SANITIZERS = {
    tool: ["compute-sanitizer", f"--tool={tool}", "--error-exitcode=86", "--target-processes=application-only"]
    for tool in ("memcheck", "racecheck")
}
# Conformance tests that launch kernels of the package and of no other library, for the sanitizers to watch. In `launches` CUDA
# refuses a launch, which they would report.
WATCHED = (
    *("argument_kinds", "atomics", "axpy", "bodies", "collectives", "dot", "errors", "found_sizes"),
    *("own_launches", "results", "scalars", "stencils", "strides", "tensor_cores"),
    *("migration", "results_on_streams"),
)
# Parts of the conformance tests: each has those files of a pattern that no part before it has.
PARTS = {
    "ahead": "test_torch_ahead.py",
    "torch": "adapters/test_torch_*.py",
    "adapters": "adapters/*.py",
    "calls": "calls/*.py",
    "interop": "interop/*.py",
    "others": "*.py",
}


class Tested(package.Package):
    """`cu`, `rust` and `mixed` have the conformance tests; all but `checked` the tests of their functions; `mixed` and `checked` more kernels."""

    def __init__(self, folder: Path) -> None:
        super().__init__(folder)
        self.suite = folder / "suite/venv/bin/python"
        self.conformance = ROOT / "tests/conformance" if (folder / "suite").exists() else None
        self.environment = {  # for its tests
            "CUVEC_PACKAGE": "gpupkg",
            "DEBUG": "ON" if self.name == "mixed" else "OFF",
        }
        if self.name == "cufft":
            self.environment |= libraries_of_cuda()

    def use(self, gpu: int) -> None:
        """Has its tests see only this GPU: JAX leaves the last of several as the current one of the thread that imports it."""
        self.environment["CUDA_VISIBLE_DEVICES"] = str(gpu)

    def runs(self) -> list[Count]:
        """All at once, in the order of the table's columns."""
        with ThreadPoolExecutor() as pool:
            conformance = pool.submit(self._conformance) if self.conformance else None
            tests = list(pool.map(lambda it: self._tests(*it), self._suites()))
            tests.insert(0, conformance.result() if conformance else Count("conformance", 0, 0, 0))
            programs = [run_programs("programs", list(self._programs()), **self.environment)]
        return [*tests, *programs]

    def _tests(self, what: str, command: list[str | Path], tests: list[Path]) -> Count:
        return run_suite(what, command, tests, self.folder, **self.environment) if tests else Count(what, 0, 0, 0)

    def _conformance(self) -> Count:
        """In parts, each a process: together they take as long as the longest."""
        assert self.conformance
        files, parts = set(self.conformance.rglob("test_*.py")), {}
        files -= set(self.conformance.rglob("test_*two_gpus.py"))  # see two_gpus.py
        for name, pattern in PARTS.items():
            parts[name] = sorted(path for path in files if path.match(pattern))
            files.difference_update(parts[name])

        def run(name: str) -> Count:
            return self._tests(f"conformance, {name}", [self.suite], parts[name])

        with ThreadPoolExecutor() as pool:
            _, *numbers = zip(*pool.map(run, parts), strict=True)
        return Count("conformance", *map(sum, numbers))

    def _suites(self) -> Iterator[tuple[str, list[str | Path], list[Path]]]:
        """A column, a Python, and the tests that it runs."""
        src = self.source / "src"
        yield "own tests", [self.python], [] if self.name == "checked" else [self._owner(), src]
        for tool, command in SANITIZERS.items():
            if self.conformance:
                watched = [path for name in WATCHED for path in self.conformance.rglob(f"test_{name}.py")]
                assert len(watched) == len(WATCHED)
                yield tool, [*command, self.suite], watched
            else:
                yield tool, [*command, self.python], [] if self.name == "checked" else [src]

    def _owner(self) -> Path:
        """The tests of its functions, added ones among them."""
        tests = self.source / "tests"
        for test in (ROOT / "bench/kernels/tests").glob("test_*.py"):
            if list(self.source.glob(f"kernels/{test.stem.removeprefix('test_')}.*")):
                (tests / test.name).write_text(test.read_text().replace("mypkg", "gpupkg"))
        return tests

    def _programs(self) -> Iterator[list[str | Path]]:
        """Kernels with errors, and a stencil, also under the sanitizers; PyTorch's checks of operators."""
        memcheck, racecheck = SANITIZERS.values()
        wrong = [self.python, OUT_OF_BOUNDS, "gpupkg"]
        if self.name == "checked":
            yield from ([*wrong, "checked"], [*memcheck, *wrong, "checked"])
        if self.name == "mixed":
            yield from (wrong, [*memcheck, *wrong])
            for function in ("heat", "heat_in_rust"):
                heat = [self.python, HEAT, "gpupkg", function]
                yield from ([*memcheck, *heat], [*racecheck, *heat])
        if self.name in LANGUAGES:
            yield [self.python, OPCHECK, "gpupkg"]


def compared(mixed: Tested) -> list[list[str]]:
    """A table: the time of the large stencil, and how long a build takes, in both languages."""
    rows = [["", *LANGUAGES.values()], ["`heat`, 16384 × 8192"]]
    gigabytes = 2 * 16384 * 8192 * 4 / 1e9
    for function in ("heat", "heat_in_rust"):
        time = mixed.folder / f"{function}.json"
        assert not run_programs("heat", [[mixed.python, HEAT, "gpupkg", function, time]]).failed
        took = json.loads(time.read_text())
        rows[1].append(f"{took:.3f} ms, {1000 * gigabytes / took:.0f} GB/s")
    files = [mixed.folder.parent / language / "builds.json" for language in LANGUAGES]
    if all(file.exists() for file in files):  # `ci/gpu build` has measured them
        builds = [json.loads(file.read_text()) for file in files]
        rows += [[what, *(f"{build[what]:.1f} s" for build in builds)] for what in builds[0]]
    return rows


def packages_in(built: Path, only: list[str] | None = None) -> list[Tested]:
    """Those that `ci/gpu build` has made."""
    found = [Tested(one.folder) for one in package.packages_in(built) if only is None or one.name in only]
    for one in found:
        one.use(found.index(one) % gpus())
    return found
