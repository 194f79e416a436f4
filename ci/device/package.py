"""One built package: its wheel, an environment with it, and what runs there."""

from __future__ import annotations

import subprocess
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

from environment import make
from suite import Count, run_programs, run_suite

HERE = Path(__file__).parent
# Tests that launch kernels of the package and of no other library, for the sanitizers to watch.
WATCHED = ["test_axpy.py", "test_dot.py", "test_address.py", "test_arguments.py", "test_placement.py"]


class Package:
    """A folder such as `pyo3-cu`, which holds a wheel and the sources in `gpupkg`."""

    def __init__(self, folder: Path) -> None:
        self.folder = folder
        self.name = folder.name
        self.tests = folder / "gpupkg" / "tests"
        self.python = folder / "venv" / "bin" / "python"

    def install(self) -> None:
        """Makes an environment that sees the packages of this one, and installs the wheel without any network."""
        make(self.folder / "venv")
        wheels = sorted([*self.folder.glob("*.whl"), *self.folder.glob("../peers/*.whl")])
        pip = [self.python, "-m", "pip", "install", "--quiet", "--no-index", "--no-deps"]
        subprocess.run([*pip, "--force-reinstall", *wheels], check=True)

    def runs(self) -> list[Count]:
        """The contract suite, and its kernels under the sanitizers, all at once."""
        watched = [self.tests / name for name in WATCHED]
        kinds = {"contract suite": ([self.python], [self.tests])}
        for tool in ("memcheck", "racecheck"):
            sanitizer = ["compute-sanitizer", f"--tool={tool}", "--error-exitcode=86"]
            kinds[tool] = ([*sanitizer, "--target-processes=application-only", self.python], watched)
        with ThreadPoolExecutor() as pool:
            return list(pool.map(lambda kind: run_suite(kind, *kinds[kind], self.folder), kinds))

    def agrees(self) -> Count:
        """Whether its kernels give the values of the first package that was asked."""
        values = self.folder.parent / "values.npz"
        return run_programs("values agree", [[self.python, HERE.parent / "kernels/agree.py", "gpupkg", values]])
