"""One built package: its wheel, an environment with it, and what runs there."""

from __future__ import annotations

import subprocess
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

from environment import make
from suite import Count, run_programs, run_suite

HERE = Path(__file__).parent
# Tests that launch kernels of the package and of no other library, for the sanitizers to watch.
WATCHED = (
    "test_axpy.py",
    "test_dot.py",
    "test_address.py",
    "test_arguments.py",
    "test_placement.py",
    "test_declared_bodies.py",
    "test_declared_results.py",
    "test_declared_streams.py",
    "test_near.py",
)
RECIPES = HERE.parent / "kernels/tests"


def packages_in(built: Path) -> list[Package]:
    """Those that `ci/gpu build` has made."""
    return [Package(folder) for folder in sorted(built.iterdir()) if (folder / "gpupkg").is_dir()]


class Package:
    """A folder such as `pyo3-cu`: a wheel, the sources in `gpupkg`, and in `suite` a wheel with the functions that the
    tests of its runtime call."""

    def __init__(self, folder: Path) -> None:
        self.folder = folder
        self.name = folder.name
        self.tests = folder / "gpupkg/runtime/tests"
        self.python = folder / "venv/bin/python"
        self.suite = folder / "suite/venv/bin/python"
        self.environment: dict[str, str] = {}  # for its tests
        self.ran: dict[str, Count] = {}  # in another run, and is not to run again

    def install(self) -> None:
        """Makes an environment that sees the packages of this one, and installs the wheel without any network."""
        peers = sorted(self.folder.glob("../peers/*.whl"))
        for folder in (self.folder, self.folder / "suite"):
            python = make(folder / "venv")
            pip = [python, "-m", "pip", "install", "--quiet", "--no-index", "--no-deps"]
            subprocess.run([*pip, "--force-reinstall", *sorted(folder.glob("*.whl")), *peers], check=True)

    def take(self, gpu: int) -> None:
        """Has its tests see this GPU alone: JAX leaves the last of several as the current one of the thread that imports it."""
        self.environment["CUDA_VISIBLE_DEVICES"] = str(gpu)

    def runs(self) -> list[Count]:
        """The contract suite, its kernels under the sanitizers, and the owner's tests, all at once."""
        watched = sorted(path for name in WATCHED for path in self.tests.glob(name))
        owners = self.folder / "gpupkg/tests"
        for test in RECIPES.glob("test_*.py"):
            (owners / test.name).write_text(test.read_text().replace("mypkg", "gpupkg"))
        kinds = {
            "contract suite": ([self.suite], [self.tests]),
            "owner's tests": ([self.python], [owners, owners.parent / "src"]),
        }
        for tool in ("memcheck", "racecheck"):
            sanitizer = ["compute-sanitizer", f"--tool={tool}", "--error-exitcode=86"]
            kinds[tool] = ([*sanitizer, "--target-processes=application-only", self.suite], watched)
        with ThreadPoolExecutor() as pool:
            return list(pool.map(lambda kind: self.ran.get(kind) or self._run(kind, *kinds[kind]), kinds))

    def _run(self, kind: str, command: list[str | Path], tests: list[Path]) -> Count:
        return run_suite(kind, command, tests, self.folder, **self.environment)

    def agrees(self) -> Count:
        """Whether its kernels give the values of the first package that was asked."""
        values = self.folder.parent / "values.npz"
        return run_programs("values agree", [[self.python, HERE.parent / "kernels/agree.py", "gpupkg", values]])
