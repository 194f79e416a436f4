"""Rust where a machine has none, and NVIDIA's ptxas for a build that compiles kernels in Rust.

`puccinialin` of PyPI installs Rust into a folder of its own in the user's cache. `CUVEC_INSTALL_RUST=0` does without; then a missing cargo
is an error that says how to install it.

ptxas, of PyPI too, has to accept the PTX of kernels. Whoever installs a package compiles none, since it has the PTX of its kernels; a build
that finds them edited does. CMake knows by a hash which are. Before there is a CMake, a source that is newer than its PTX is taken for an edited one.
"""

from __future__ import annotations

import os
import re
import shutil
import subprocess
import sys
import tomllib
from pathlib import Path

from .machine import flags_of_cargo
from .sources import RUNTIME

SEPARATOR = "\x1f"  # cargo's, for flags that may hold blanks


def requirements() -> list[str]:
    """Return what a frontend has to install for it: nothing where there is cargo."""
    wanted = os.environ.get("CUVEC_INSTALL_RUST") != "0"
    return ["puccinialin"] if wanted and is_missing() else []


def is_missing() -> bool:
    """Return whether there is no cargo."""
    return which("cargo") is None


def homes() -> list[Path]:
    """Return the folders that may be cargo's; the first one is what it uses."""
    named = os.environ.get("CARGO_HOME")
    try:
        home = Path.home()
    except RuntimeError:  # a user without one
        home = Path("/")
    return [*([Path(named)] if named else []), home / ".cargo"]


def which(name: str) -> str | None:
    """Return where a program of Rust is, on PATH or where rustup puts it."""
    paths = [os.environ.get("PATH", ""), *(str(home / "bin") for home in homes())]
    return shutil.which(name, path=os.pathsep.join(paths))


def find_rust() -> tuple[str, str, str, str]:
    """Return cargo, the rustc beside it, its version, and the machine that it compiles for; or end the build where it is too old."""
    cargo = find_cargo()
    beside = os.pathsep.join([str(Path(cargo).parent), os.environ.get("PATH", "")])
    rustc = shutil.which("rustc", path=beside) or sys.exit(f"there is no rustc beside {cargo}")
    text = output(rustc, "-vV") + "\n"
    said = dict(re.findall(r"(.+?): (.+)", text))
    manifest = tomllib.loads((RUNTIME / "core/Cargo.toml").read_text(encoding="utf-8"))
    needed = manifest["package"]["rust-version"]
    version = re.match("[0-9.]+", said["release"])
    if version and numbers(version[0]) < numbers(needed):
        sys.exit(
            f"Rust {version[0]} is too old: the core of this package needs {needed}. Update it, for instance: "
            "rustup update stable; or install one from https://rustup.rs"
        )
    return cargo, rustc, text, said["host"]


def numbers(version: str) -> list[int]:
    """Return what a version is compared by."""
    return [int(it) for it in version.split(".") if it]


def output(*command: str | Path) -> str:
    """Return what a program of Rust prints, or end the build if it fails."""
    env = {**os.environ, "RUSTUP_AUTO_INSTALL": "0"}
    asked = subprocess.run(command, env=env, stdout=subprocess.PIPE, text=True, check=False)
    return sys.exit(asked.returncode) if asked.returncode else asked.stdout.strip()


def flags(rustc: str, crate: Path, renamed: list[str]) -> list[str]:
    """Return the flags for rustc of a crate in a folder, as variables, or as a setting of cargo, `target.…`.

    They are the user's, and names that are the same wherever the build is done. Where the user has set a variable, it is the one
    that counts; else cargo adds ours to the ones in the user's `.cargo/config.toml`.
    """
    # Paths of the package are relative ones already: with the same flags for all packages, crates are compiled for all.
    home = homes()[0].resolve().as_posix()
    # Where the sources of Rust's library are installed, for an editor, rustc names them by their path.
    library = Path(output(rustc, "--print", "sysroot"), "lib/rustlib/src/rust").as_posix()
    (commit,) = re.findall("commit-hash: (.+)", output(rustc, "-vV"))
    renamed = [f"{home}/registry/src=crates", f"{library}=/rustc/{commit}", *renamed]
    ours = [f"--remap-path-prefix={it}" for it in renamed]
    given = os.environ.get("CARGO_ENCODED_RUSTFLAGS", "")
    given = given or os.environ.get("RUSTFLAGS", "").replace(" ", SEPARATOR)
    if given:
        return [f"CARGO_ENCODED_RUSTFLAGS={SEPARATOR.join([given, *ours])}"]
    # As TOML has strings, in the quotes that `cmake -E chdir` takes.
    quoted = ", ".join(f"'''{it}'''" for it in [*flags_of_cargo(crate), *ours])
    setting = f"target.'cfg(all())'.rustflags=[{quoted}]"
    return ["--unset=RUSTFLAGS", "--unset=CARGO_ENCODED_RUSTFLAGS", setting]


def find_cargo() -> str:
    """Return where cargo is, or say how to install it."""
    return which("cargo") or sys.exit(
        "cargo not found, which builds the core of this package. Install Rust:\n"
        "  curl --proto '=https' --tlsv1.2 -sSf https://sh.rustup.rs | sh -s -- -y\n"
        "or see https://rustup.rs for other systems"
    )


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
