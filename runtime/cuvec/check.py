"""Runs the package's tests under NVIDIA's tools: `python -m mypkg.check --sanitize`."""

import argparse
import os
import shutil
import subprocess
import sys
import sysconfig
from collections.abc import Iterator
from pathlib import Path

SANITIZER = "compute-sanitizer", "nvidia-cuda-sanitizer-api"
NVTX = ("nvidia/*/lib/libnvtx3interop.so.1", "nvidia/nvtx/lib/libnvToolsExt.so.1")
FOUND = 86  # how the sanitizer ends if it has found something
PROFILERS = {
    "nsys": ["profile", "--trace=cuda,nvtx", "--force-overwrite=true", "--output=check"],
    "ncu": ["--nvtx", "--force-overwrite", "--export=check"],
}


def main(arguments: list[str]) -> int:
    """Run pytest with what is not for this command; return its exit code, or the tool's."""
    parser = argparse.ArgumentParser(
        prog=f"python -m {(__package__ or '').rpartition('.')[0]}.check",
        description="Run the tests in this folder on the GPU. Other arguments are pytest's.",
        allow_abbrev=False,
    )
    kind = parser.add_mutually_exclusive_group()
    kind.add_argument(
        "--sanitize",
        nargs="?",
        const="memcheck",
        choices=("memcheck", "racecheck", "initcheck", "synccheck"),
        help="under a tool of compute-sanitizer, memcheck if none is named",
    )
    kind.add_argument(
        "--profile",
        nargs="?",
        const="nsys",
        choices=PROFILERS,
        help="under Nsight Systems, or Compute, with a range for each function that is called",
    )
    given, of_pytest = parser.parse_known_args(arguments)
    command = [sys.executable, "-m", "pytest", *of_pytest]
    environment = {**os.environ, "CUVEC_DEVICE": "cuda"}
    try:
        if given.sanitize:
            command = [*sanitizer(given.sanitize), *command]
        elif given.profile:
            command = [*profiler(given.profile), *command]
            environment["CUVEC_NVTX"] = nvtx()
    except FileNotFoundError as error:
        print(error, file=sys.stderr)
        return 1
    return subprocess.run(command, env=environment, check=False).returncode


def sanitizer(tool: str) -> list[str]:
    """Return the command that other commands are for."""
    name, package = SANITIZER
    path = shutil.which(name) or next(in_pypi(f"nvidia/*/bin/{name}"), None)
    if path is None:
        raise FileNotFoundError(f"there is no {name}: pip install {package}")
    return [
        path,
        f"--tool={tool}",
        f"--error-exitcode={FOUND}",
        "--target-processes=application-only",
    ]


def profiler(name: str) -> list[str]:
    """Return the command that other commands are for."""
    path = shutil.which(name)
    if path is None:
        raise FileNotFoundError(f"there is no {name}: install NVIDIA Nsight, of the CUDA toolkit")
    return [path, *PROFILERS[name]]


def nvtx() -> str:
    """Return where the library is that tells profilers which function is called."""
    found = next((path for pattern in NVTX for path in in_pypi(pattern)), None)
    if found is None:
        raise FileNotFoundError("there is no libnvtx3interop.so.1: pip install nvidia-nvtx")
    return found


def in_pypi(pattern: str) -> Iterator[str]:
    """Yield what NVIDIA's packages of PyPI have installed."""
    return (str(path) for path in Path(sysconfig.get_path("purelib")).glob(pattern))
