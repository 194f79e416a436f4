"""Seconds to build the kernels alone, as they are scaffolded and after edits.

build_times.py TIMES.json KIND=PACKAGE…: cmake, ninja and nvcc are those of the environment that runs this.
"""

from __future__ import annotations

import json
import os
import shutil
import subprocess
import sys
import tempfile
import time
from pathlib import Path

EDITS = {
    "kernels.cu": '\nextern "C" __global__ void added_{}() {{}}\n',
    "src/axpy.rs": "\nkernel! {{\n    fn added_{}(grid) {{}}\n}}\n",
}


def build_times(package: Path) -> dict[str, float]:
    with tempfile.TemporaryDirectory() as folder:
        copy = shutil.copytree(package, Path(folder) / "package")
        build = Path(folder) / "build"
        (source,) = [copy / "kernels" / path for path in EDITS if (copy / "kernels" / path).exists()]
        edit = EDITS[str(source.relative_to(copy / "kernels"))]
        configure = [
            "cmake",
            "-G",
            "Ninja",
            "-S",
            copy / "kernels",
            "-B",
            build,
            "-D",
            f"CMAKE_INSTALL_PREFIX={folder}",
        ]
        times = {}
        for number, what in enumerate(("as scaffolded", "first edit", "next edit")):
            if number:
                source.write_text(source.read_text() + edit.format(number))
            start = time.monotonic()
            if not number:
                subprocess.run(configure, check=True, stdout=subprocess.DEVNULL)
            subprocess.run(["cmake", "--build", build], check=True, stdout=subprocess.DEVNULL)
            times[what] = time.monotonic() - start
        return times


if __name__ == "__main__":
    output, *packages = sys.argv[1:]
    os.environ["PATH"] = f"{Path(sys.executable).parent}{os.pathsep}{os.environ['PATH']}"
    found = {kind: build_times(Path(package)) for kind, package in (word.split("=") for word in packages)}
    Path(output).write_text(json.dumps(found))
    print(found)
