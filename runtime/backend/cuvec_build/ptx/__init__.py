"""The images of kernels in Rust: for each file NAME.rs of a folder there is one, NAME.ptx.

It is a copy of ptx/NAME.ptx of the folder if that was compiled from the sources as they are now; otherwise it is compiled here,
and ptx/NAME.ptx is brought up to date.

Environment:
  KERNELS_RUSTC     the compiler, with its library's sources beside it; default: rustup's
  KERNELS_PTXAS     the assembler that has to accept the PTX; default: PyPI's nvidia-cuda-nvcc
  KERNELS_CHECKED   if set: compile with checks for overflow and `debug_assert!`, and leave ptx/ alone
  CUVEC_CACHE       the folder of the cache; default: none
"""

from __future__ import annotations

import os
import re
import shutil
import subprocess
import sys
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

from ..crate import kernels_crate
from ..sources import RUNTIME
from .compiler import Compiler
from .rewrite import VERSIONS, newer
from .sources import Sources, checks, read, sha256
from .tools import find_ptxas, find_rustc

OF_SOURCES = b"// SHA-256 of the sources: "
HEAD = re.compile(OF_SOURCES + rb"(.*)\n// SHA-256 of what follows: (.*)\n")


def make_images(
    kernels: Path, build: Path, images: Path, crate: Path | None, cache: Path | None
) -> None:
    """Make the images of the kernels in a folder; the folder of their Cargo.toml may be another one."""
    crate = crate or kernels_crate(kernels, build)
    sources = Sources(kernels, crate, RUNTIME / "kernels")
    images.mkdir(parents=True, exist_ok=True)
    stale = []
    for name, kernel in sources.of.items():
        image, shipped = (folder / f"{name}.ptx" for folder in (images, kernels / "ptx"))
        if is_compiled_from(kernel.hash, image):
            continue
        if is_compiled_from(kernel.hash, shipped):
            shutil.copyfile(shipped, image)
        else:
            stale.append(name)
    if stale:
        compiler = Compiler(*find_rustc(stale), sources, build)
        compiler.prepare(cache)
        print(f"Compiling the kernels for the GPU: {len(stale)} of the files", flush=True)
        with ThreadPoolExecutor(
            1
        ) as pool:  # the PTX of one is assembled while the next one is compiled
            done = []
            for name in stale:
                ptx, read_files = compiler.compile(name, sources.of[name].modules)
                check_read(name, read_files, sources, compiler.target)
                done.append(pool.submit(publish, name, ptx, images, compiler))
            for published in done:
                published.result()
    if not checks():
        remove_others(kernels, {*sources.of})


def is_compiled_from(hashed: str, file: Path) -> bool:
    """Return whether the file is PTX that was compiled from sources of this hash, and nobody has edited it since."""
    if not file.exists():
        return False
    text = read(file)
    head = HEAD.match(text)
    return bool(head) and [it.decode() for it in head.groups()] == [
        hashed,
        sha256(text[head.end() :]),
    ]


def check_read(name: str, files: list[Path], sources: Sources, target: Path) -> None:
    """End the build if a file was read that the hash does not cover: an edit of it would leave stale PTX."""
    kernels, made = sources.kernels.resolve(), target.resolve()
    script = (sources.runtime / "list.rs").resolve()  # of which the part that decides is modules.rs
    beside = {kernels / f"{it}.rs" for it in sources.of[name].read}
    for file in (it.resolve() for it in files):
        if file == script or made in file.parents or file.is_dir() or file in beside:
            continue
        if file not in sources.hashed or (file.parent == kernels and file.suffix == ".rs"):
            sys.exit(
                f"error: kernels/{name}.rs reads {file}, and an edit of that would not be noticed. "
                "Move it into a folder in kernels/."
            )


def publish(name: str, ptx: str, images: Path, compiler: Compiler) -> None:
    """Write the PTX of a file, if it can be loaded, as its image and beside the sources."""
    (by,) = re.findall(r"\Arustc [^ ]+ [(][^)]+[)]", compiler.version)
    text = f"// compiled by {by}; do not edit\n{ptx}".encode()
    hashes = f"{compiler.sources.of[name].hash}\n// SHA-256 of what follows: {sha256(text)}\n"
    new, image = (images / f"{name}.ptx{end}" for end in (".new", ""))
    new.write_bytes(OF_SOURCES + hashes.encode() + text)
    assemble(new, name)
    new.replace(image)
    if not checks():
        shipped = compiler.sources.kernels / "ptx" / image.name
        try:
            shipped.parent.mkdir(exist_ok=True)
            shutil.copyfile(image, shipped)
        except OSError as problem:
            print(f"kernels/ptx/{name}.ptx stays as it is: {problem}")


def assemble(file: Path, name: str) -> None:
    """End the build if the file, PTX of the kernels NAME, is none that can be loaded."""
    text = file.read_text(encoding="utf-8")
    judged = file.with_suffix(".judged")
    targets = [target for target in VERSIONS if f" // from sm_{target}: " in text]
    for ptx in (text, *(newer(text, target) for target in targets)):
        judged.write_text(ptx, encoding="utf-8")
        target = re.search(r"^[.]target (sm_[0-9]+)", ptx, re.MULTILINE)
        command = (find_ptxas(), f"-arch={target[1]}", judged, "-o", os.devnull)
        asked = subprocess.run(
            command, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True, check=False
        )
        if asked.returncode:
            sys.exit(
                f"error: ptxas refuses the PTX of kernels/{name}.rs, and kernels/ptx/{name}.ptx stays as it was:\n{asked.stdout}"
            )
    judged.unlink()


def remove_others(kernels: Path, names: set[str]) -> None:
    """Remove the PTX of files that are gone, and the PTX of all files in one, as there was before."""
    for file in (*kernels.glob("ptx/*.ptx"), *kernels.glob("kernels.ptx")):
        if file.stem not in names and read(file).startswith(OF_SOURCES):
            file.unlink()
