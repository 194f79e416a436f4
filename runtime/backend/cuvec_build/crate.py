"""The crate that the kernels in Rust of a folder are, and the workspaces of crates."""

from __future__ import annotations

import re
import shutil
import sys
from pathlib import Path

from .rust import find_cargo, output
from .sources import RUNTIME

OF_RUNTIME = RUNTIME / "kernels"
MANIFEST = """workspace = {{}}

[package]
name = "kernels"
version = "0.0.0"
edition = "2024"
rust-version = "1.88"
publish = false
build = "{0}/list.rs"

[lib]
path = "{0}/functions.rs"
crate-type = ["rlib", "staticlib"]

[dependencies]
cuvec-kernels = {{ path = "{0}" }}
"""


def workspace(folder: Path) -> Path:
    """Return the folder of the workspace that the crate in a folder is in, which may be its own."""
    command = (
        find_cargo(),
        "locate-project",
        "--workspace",
        "--message-format",
        "plain",
        "--manifest-path",
    )
    return Path(output(*command, folder / "Cargo.toml")).parent


def locked(folder: Path) -> list[str]:
    """Return `--locked` for the crate in a folder, if there is a Cargo.lock; cargo writes one otherwise."""
    return ["--locked"] if (workspace(folder) / "Cargo.lock").exists() else []


def kernels_crate(kernels: Path, build: Path) -> Path:
    """Return the folder of the crate that the kernels in Rust of a folder are: the same one, if it has a Cargo.toml.

    Otherwise it is one below `build`, with a manifest that names no more crates. There the build script finds the kernels by the
    variable KERNELS.
    """
    if (kernels / "Cargo.toml").exists():
        lock(kernels)
        return kernels
    crate = build / "kernels-crate"
    crate.mkdir(parents=True, exist_ok=True)
    manifest, text = crate / "Cargo.toml", MANIFEST.format(OF_RUNTIME.as_posix())
    if not manifest.exists() or manifest.read_text(encoding="utf-8") != text:
        manifest.write_text(text, encoding="utf-8")
    lock(crate)
    return crate


def lock(folder: Path) -> None:
    """Give a crate that names no more crates the runtime's Cargo.lock, so that cargo needs no network, if it is its own workspace.

    The one of an earlier runtime is replaced.
    """
    text = re.sub("#[^\n]*", "", (folder / "Cargo.toml").read_text(encoding="utf-8"))
    text = re.sub("\ncuvec-kernels =[^\n]*", "", text)
    if (
        re.search(r"dependencies\][ \r\n]*[^[ \r\n]|dependencies[.]", text)
        or workspace(folder) != folder
    ):
        return
    file, known = folder / "Cargo.lock", OF_RUNTIME / "kernels.lock"
    try:
        if not file.exists() or file.read_bytes() != known.read_bytes():
            shutil.copyfile(known, file)
    except OSError as problem:
        print(f"{file} was not written: {problem}", file=sys.stderr)
