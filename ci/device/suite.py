"""One run of pytest, or of some programs, and what it counted."""

import os
import subprocess
import sys
from collections.abc import Iterable
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from typing import NamedTuple
from xml.etree import ElementTree

CONFORMANCE = ("conformance", "memcheck", "racecheck", "two GPUs")


class Count(NamedTuple):
    what: str
    passed: int
    failed: int
    skipped: int

    def __str__(self) -> str:
        rest = [f"**{n} {what}**" for n, what in ((self.failed, "failed"), (self.skipped, "skipped")) if n]
        return ", ".join([str(self.passed or "–"), *rest])


def end(counts: Iterable[Count]) -> int:
    """Prints a test runner's line; returns the exit status, which is 1 if anything failed, or nothing ran."""
    every = list(counts)
    passed, failed, skipped = (sum(count[i] for count in every) for i in (1, 2, 3))
    print(f"{passed} passed, {failed} failed, {skipped} skipped", flush=True)
    return 1 if failed or not passed else 0


def count(what: str, junit: Path) -> Count:
    """On a GPU the conformance tests fail where others skip, except for want of a function; in others a skipped test is a failure."""
    suite = ElementTree.parse(junit).getroot().find("testsuite")
    assert suite is not None
    tests, skipped = int(suite.get("tests", 0)), int(suite.get("skipped", 0))
    failed = int(suite.get("failures", 0)) + int(suite.get("errors", 0))
    passed = tests - failed - skipped
    if what.startswith(CONFORMANCE):
        return Count(what, passed, failed, skipped)
    return Count(what, passed, failed + skipped, 0)


def run_suite(what: str, command: list[str | Path], tests: list[Path], folder: Path, **environment: str) -> Count:
    """Runs `command -m pytest tests`; without a report, because it crashed, everything has failed."""
    slug = what.split()[-1]
    junit, log = folder / f"{slug}.xml", folder / f"{slug}.log"
    junit.unlink(missing_ok=True)
    pytest = ["-m", "pytest", "-q", "-p", "no:cacheprovider", f"--junitxml={junit}", *tests]
    settings = {"CUVEC_DEVICE": "cuda", "XLA_PYTHON_CLIENT_PREALLOCATE": "false"}
    with log.open("wb") as output:
        done = subprocess.run(
            [*command, *pytest],
            stdout=output,
            stderr=subprocess.STDOUT,
            check=False,
            env={**os.environ, **settings, **environment},
        )
    counted = count(what, junit) if junit.exists() else Count(what, 0, 1, 0)
    if done.returncode not in (0, 1):
        # A sanitizer that found something ends with a status of its own while all tests pass.
        counted = counted._replace(failed=counted.failed + 1)
    print(f"{folder.name}: {counted}  ({what})", flush=True)
    if counted.failed or counted.skipped:
        print(log.read_text(errors="replace")[-6000:], flush=True)
    return counted


def libraries_of_cuda() -> dict[str, str]:
    """Where cuFFT and the like are: PyTorch has brought them, to other site-packages than a package under test is in."""
    folders = [str(folder) for site in sys.path for folder in Path(site).glob("nvidia/cu13/lib")]
    return {"LD_LIBRARY_PATH": os.pathsep.join([*folders, *filter(None, [os.environ.get("LD_LIBRARY_PATH")])])}


def run_programs(what: str, commands: list[list[str | Path]], **environment: str) -> Count:
    """Runs programs, all at once, that end with an error if anything is not as it should be."""

    def passes(command: list[str | Path]) -> bool:
        done = subprocess.run(
            ["timeout", "120", *command],
            stdout=subprocess.PIPE,
            stderr=subprocess.STDOUT,
            env={**os.environ, "CUVEC_DEVICE": "cuda", **environment},
            check=False,
        )
        if done.returncode:
            shown = done.stdout.decode(errors="replace")[-4000:]
            print(f"{what}: {' '.join(map(str, command))}\n{shown}[exit {done.returncode}]", flush=True)
        return done.returncode == 0

    with ThreadPoolExecutor() as pool:
        passed = sum(pool.map(passes, commands))
    print(f"{what}: {passed} passed, {len(commands) - passed} failed", flush=True)
    return Count(what, passed, len(commands) - passed, 0)
