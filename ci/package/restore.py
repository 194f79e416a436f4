"""Puts the `runtime/` of packages back that lie without: restore.py FOLDER…

Until `cuvec-new update` does it: a package with the answers of the record has the same.
"""

from __future__ import annotations

import contextlib
import io
import shutil
import sys
import tempfile
import tomllib
from pathlib import Path

from generator import scaffold


def restore(package: Path) -> None:
    answers = tomllib.loads((package / ".cuvec-new.toml").read_text())["answers"]
    with tempfile.TemporaryDirectory() as folder:
        fresh = scaffold(Path(folder) / "fresh", **answers)
        shutil.rmtree(package / "runtime", ignore_errors=True)
        shutil.copytree(fresh / "runtime", package / "runtime")


if __name__ == "__main__":
    for folder in sys.argv[1:]:
        with contextlib.redirect_stdout(io.StringIO()):
            restore(Path(folder))
        print(f"restored `{Path(folder) / 'runtime'}`")
