"""Compiles kernels into PTX. Of the build's programs this one and `rewrite`, with modules.rs of the crate, decide what PTX is:
they are a part of what is hashed, and the others are not.
"""

from __future__ import annotations

import contextlib
import os
import re
import shutil
import subprocess
import sys
from dataclasses import dataclass
from hashlib import sha256
from pathlib import Path

from ..cache import copy_of, key_of, seal, store, sum_of, take, turn
from ..rust import homes
from .rewrite import rewrite
from .sources import Sources, checks

# PTX of this version, for this architecture, runs on all later ones; see raise_target. Whatever profiles of Cargo.toml say, these
# come after them.
FLAGS = (
    *("-Ctarget-cpu=sm_75", "-Copt-level=3", "-Ccodegen-units=1", "-Zunstable-options"),
    *("-Cpanic=immediate-abort", "-Csymbol-mangling-version=v0"),
    *("-Coverflow-checks=off", "-Cdebug-assertions=off"),
    # Loops over the elements of a pack are written out, also where much is done with each, or packs are put into memory. And how
    # far back the compiler looks for what it has loaded: kernels of rows are written out. See grid/gpu/row.rs of the crate.
    (
        "-Cllvm-args=-unroll-threshold=2500 -memdep-block-scan-limit=4000 -memdep-block-number-limit=2000 "
        "-memssa-check-limit=2000 -earlycse-mssa-optimization-cap=20000"
    ),
)


def run(*command: str | Path, **env: str) -> None:
    """Run a command of Rust, and end the build if it fails."""
    sys.stdout.flush()
    env |= {"RUSTC_BOOTSTRAP": "1", "RUSTUP_AUTO_INSTALL": "0"}
    status = subprocess.run(command, env={**os.environ, **env}, check=False).returncode
    if status:
        sys.exit(status)


@dataclass
class Compiler:
    """Rust's compiler, and a folder where it and cargo work."""

    rustc: str
    library: Path  # the sources of Rust's
    sources: Sources
    build: Path

    def __post_init__(self) -> None:
        self.version = subprocess.check_output((self.rustc, "-vV"), text=True)
        # Cargo mistakes what it has built of a package for the build of its copy elsewhere, and names the files of the first.
        place = sha256(f"{self.sources.kernels} {self.sources.crate}".encode()).hexdigest()
        self.target = self.build / f"gpu-{place[:8]}"

    def prepare(self, cache: Path | None) -> None:
        """Have the part of Rust's library that the kernels are linked with: once for all packages."""
        name = f"rust-{key_of(self.version, FLAGS)}"
        self.sysroot = self.build / name
        if not self.sysroot.is_dir():
            with turn(cache, name) if cache else contextlib.nullcontext():
                if not (cache and take(cache, name, self.sysroot)):
                    self.make_sysroot()
                    if cache:
                        store(cache, name, copy_of(self.sysroot))
        # Remove what is linked with Rust's library as it was before somebody emptied the cache. This one names the others, and is small.
        hashed = sum_of(
            self.sysroot / "lib/rustlib/nvptx64-nvidia-cuda/lib/libcompiler_builtins.rlib"
        )
        note = self.target / "library"
        if not note.exists() or note.read_text() != hashed:
            shutil.rmtree(self.target, ignore_errors=True)
            self.target.mkdir(parents=True)
            note.write_text(hashed)

    def make_sysroot(self) -> None:
        """Compile it; a build that is killed leaves no folder that passes for a whole one."""
        print("Compiling Rust's core library for the GPU, once", flush=True)
        new = self.sysroot.with_name(f"{self.sysroot.name}.{os.getpid()}")
        out = new / "lib/rustlib/nvptx64-nvidia-cuda/lib"
        out.mkdir(parents=True)
        linked = (
            "--target",
            "nvptx64-nvidia-cuda",
            *FLAGS,
            "--edition",
            "2024",
            "--crate-type",
            "rlib",
        )
        linked += ("-Zforce-unstable-if-unmarked", "--cap-lints", "allow", "--out-dir", out)
        run(self.rustc, self.library / "core/src/lib.rs", "--crate-name", "core", *linked)
        # The compiler asks for this library too; GPU code calls nothing in it.
        empty = new / "builtins.rs"
        empty.write_text("#![feature(compiler_builtins)]\n#![compiler_builtins]\n#![no_std]\n")
        run(self.rustc, empty, "--crate-name", "compiler_builtins", *linked, "--sysroot", new)
        seal(new)
        try:
            new.rename(self.sysroot)
        except OSError:  # another build was faster
            shutil.rmtree(new)

    def compile(self, name: str, modules: list[str]) -> tuple[str, list[Path]]:
        """Return the PTX of a file, of the modules that are compiled with it, and the files that were read."""
        made, sources = self.target / f"{name}.s", self.sources
        renamed = {
            sources.kernels: "kernels",
            sources.runtime: "runtime/kernels",
            homes()[0] / "registry/src": "crates",
        }
        of_rustc = [*FLAGS, *checks(), f"--sysroot={self.sysroot.as_posix()}"]
        of_rustc += [f"--remap-path-prefix={path.as_posix()}={to}" for path, to in renamed.items()]
        command = sources.cargo_command("rustc", "--lib", "--release", "--target-dir", self.target)
        run(
            *command,
            *("--crate-type", "staticlib", "--", f"--emit=asm={made.as_posix()}"),
            RUSTC=self.rustc,
            CARGO_ENCODED_RUSTFLAGS="\x1f".join(of_rustc),
            KERNELS=sources.kernels.as_posix(),
            KERNELS_FILES=",".join(modules),
            CARGO_PROFILE_RELEASE_LTO="fat",
            CARGO_PROFILE_RELEASE_DEBUG="false",
            CARGO_PROFILE_RELEASE_STRIP="false",
        )
        listed = (self.target / "nvptx64-nvidia-cuda/release/libkernels.d").read_text(
            encoding="utf-8"
        )
        return rewrite(made.read_text(encoding="utf-8")), files_of(listed)


def files_of(listed: str) -> list[Path]:
    """Return the files of `<library>: <file> <file>…`, as make reads it."""
    files = re.sub(r"\A[^\n]*: ", "", listed).strip()
    return [Path(file.replace("\\ ", " ")) for file in re.split(r"(?<!\\) ", files)]
