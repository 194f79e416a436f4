"""NVIDIA's ptxas, which has to accept the PTX of kernels in Rust: PyPI's, for a build that compiles them.

Whoever installs a package compiles none, since it has the PTX of its kernels; a build that finds them edited does. CMake knows
by a hash which are. Before there is a CMake, a source that is newer than its PTX is taken for an edited one.
"""

from __future__ import annotations

import os
import shutil
import sys
from pathlib import Path

REQUIREMENT = "nvidia-cuda-nvcc==13.*"
WHERE = ("KERNELS_PTXAS", "CUDA_HOME", "CUDA_PATH")


def requirements() -> list[str]:
    """Return what a frontend has to install for it: nothing without an edit, without CUDA, or where there is a ptxas."""
    without = os.environ.get("CUDA") == "OFF" or sys.platform == "darwin"
    there_is_one = any(os.environ.get(name) for name in WHERE) or shutil.which("ptxas")
    return [] if without or there_is_one or not is_edited(Path("kernels")) else [REQUIREMENT]


def is_edited(kernels: Path) -> bool:
    """Whether a file of kernels is newer than its PTX, or what all of them share is newer than all PTX."""
    sources = {*kernels.glob("*.rs")} - {kernels / "lib.rs"}
    shared = {*kernels.glob("*.toml"), *kernels.rglob("*.rs")} - sources
    images = [*kernels.glob("ptx/*.ptx")]
    own = [(source, [kernels / "ptx" / f"{source.stem}.ptx"]) for source in sources]
    pairs = own + [(source, images) for source in shared if sources]
    return any(changed([source]) > changed(made) for source, made in pairs)


def changed(files: list[Path]) -> float:
    """Return when the last of the files that are there was changed."""
    return max((file.stat().st_mtime for file in files if file.exists()), default=0)
