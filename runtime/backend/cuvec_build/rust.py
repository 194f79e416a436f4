"""Rust where a machine has none, and NVIDIA's ptxas for a build that compiles kernels in Rust.

`puccinialin` of PyPI installs Rust into a folder of its own in the user's cache. `CUVEC_INSTALL_RUST=0` does without; then a missing cargo
is an error that says how to install it.

ptxas, of PyPI too, has to accept the PTX of kernels. Whoever installs a package compiles none, since it has the PTX of its kernels; a build
that finds them edited does. CMake knows by a hash which are. Before there is a CMake, a source that is newer than its PTX is taken for an edited one.
"""

from __future__ import annotations

import os
import shutil
import sys
from pathlib import Path


def requirements() -> list[str]:
    """Return what a frontend has to install for it: nothing where there is cargo."""
    wanted = os.environ.get("CUVEC_INSTALL_RUST") != "0"
    return ["puccinialin"] if wanted and is_missing() else []


def is_missing() -> bool:
    """Return whether there is no cargo where `runtime/cmake/Cargo.cmake` looks for it."""
    homes = [os.environ.get("CARGO_HOME"), Path.home() / ".cargo"]
    paths = [os.environ.get("PATH", ""), *[str(Path(home, "bin")) for home in homes if home]]
    return shutil.which("cargo", path=os.pathsep.join(paths)) is None


def use() -> None:
    """Install it, or find what an earlier build has installed, and put it on PATH."""
    if not requirements():
        return
    try:
        from puccinialin import setup_rust
    except ImportError:  # this environment is one that somebody has made
        return
    try:
        os.environ.update(setup_rust(program="cuvec-rust"))
    except Exception as error:  # noqa: BLE001  # whatever it is, CMake says how to install Rust
        print(f"Rust could not be installed: {error}", file=sys.stderr)


PTXAS = "nvidia-cuda-nvcc==13.*"
WHERE = ("KERNELS_PTXAS", "CUDA_HOME", "CUDA_PATH")


def ptxas() -> list[str]:
    """Return what a frontend has to install for NVIDIA's ptxas: nothing without an edit, without CUDA, or where there is a ptxas."""
    without = os.environ.get("CUDA") == "OFF" or sys.platform == "darwin"
    there_is_one = any(os.environ.get(name) for name in WHERE) or shutil.which("ptxas")
    return [] if without or there_is_one or not is_edited(Path("kernels")) else [PTXAS]


def is_edited(kernels: Path) -> bool:
    """Return whether a file of kernels is newer than its PTX, or what all of them share is newer than all PTX."""
    sources = {*kernels.glob("*.rs")} - {kernels / "lib.rs"}
    shared = {*kernels.glob("*.toml"), *kernels.rglob("*.rs")} - sources
    images = [*kernels.glob("ptx/*.ptx")]
    own = [(source, [kernels / "ptx" / f"{source.stem}.ptx"]) for source in sources]
    pairs = own + [(source, images) for source in shared if sources]
    return any(changed([source]) > changed(made) for source, made in pairs)


def changed(files: list[Path]) -> float:
    """Return when the last of the files that are there was changed."""
    return max((file.stat().st_mtime for file in files if file.exists()), default=0)
