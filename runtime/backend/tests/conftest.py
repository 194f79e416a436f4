"""Shared by the tests of the build backend, which need Python and pytest only: no package is built."""

import os
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path

import pytest

BACKEND = Path(__file__).resolve().parents[1]
sys.path.insert(0, str(BACKEND))


@pytest.fixture
def printed() -> Callable[..., str]:
    """Runs a program of Python; returns what it printed."""

    def run(*command: str | Path, ok: bool = True, **env: str) -> str:
        done = subprocess.run(
            [sys.executable, *command],
            env={**os.environ, **env},
            stdout=subprocess.PIPE,
            stderr=subprocess.STDOUT,
            text=True,
            check=False,
        )
        assert (done.returncode == 0) == ok, done.stdout
        return done.stdout

    return run


@pytest.fixture
def for_cmake(printed: Callable[..., str]) -> Callable[..., str]:
    """Runs a command of `for_cmake.py` as CMake does; returns what it printed."""

    def command(
        *arguments: str | Path, flags: tuple[str, ...] = (), ok: bool = True, **env: str
    ) -> str:
        return printed(*flags, BACKEND / "cuvec_build/for_cmake.py", *arguments, ok=ok, **env)

    return command
