"""Runs a command, shows what it printed if its exit status is not the expected one."""

import os
import subprocess
import time
from pathlib import Path

ROOT = Path(__file__).resolve().parents[2]


def run(*command: str | Path, cwd: Path | None = None, env: dict[str, str] | None = None, ok: bool = True) -> str:
    """Returns stdout and stderr of `command`, as one text. `ok=False` expects a failure. `env` is added to ours."""
    start = time.monotonic()
    done = subprocess.run(
        [os.fspath(part) for part in command],
        cwd=cwd,
        env={**os.environ, **(env or {})},
        stdin=subprocess.DEVNULL,
        stdout=subprocess.PIPE,
        stderr=subprocess.STDOUT,
        encoding="utf-8",
        check=False,
    )
    shown = f"$ {' '.join(map(str, command))}\n{done.stdout}[exit {done.returncode}, {time.monotonic() - start:.1f} s]"
    print(shown)  # pytest shows it for a failing test
    assert (done.returncode == 0) == ok, shown
    return done.stdout
