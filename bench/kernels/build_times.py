"""Seconds to build the wheel of a package, as it is scaffolded and after edits of a kernel.

build_times.py TIMES.json PACKAGE: with the Python that runs this, which has what the package builds with.
"""

from __future__ import annotations

import json
import shutil
import subprocess
import sys
import tempfile
import time
from pathlib import Path

COMMENT = "// edited, for the {} time\n"


def build_times(package: Path) -> dict[str, float]:
    with tempfile.TemporaryDirectory() as folder:
        copy = shutil.copytree(package, Path(folder) / "package")
        (kernel,) = copy.glob("kernels/axpy.*")
        wheel = [sys.executable, "-m", "pip", "wheel", "--quiet", "--no-deps", "--no-build-isolation"]
        wheel += ["--wheel-dir", folder, f"-Cbuild-dir={folder}/build", copy]
        times = {}
        for what in ("the first build of a wheel", "the next, of an edited kernel", "the one after that"):
            start = time.monotonic()
            subprocess.run(wheel, check=True)
            times[what] = time.monotonic() - start
            kernel.write_text(kernel.read_text().replace("a * x", "x * a", 1) + COMMENT.format(len(times)))
        return times


if __name__ == "__main__":
    output, package = map(Path, sys.argv[1:])
    output.write_text(json.dumps(build_times(package)))
    print(output.read_text())
