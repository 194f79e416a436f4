"""One number for each file of kernels, of all that decides what its PTX is.

It is the same with either kind of line endings, and wherever the package and the runtime are.
"""

from __future__ import annotations

import hashlib
import os
import re
from dataclasses import dataclass
from pathlib import Path

from ..crate import locked
from ..rust import find_cargo, output

OWN = Path(__file__).parent
# Sources that are compiled only for the CPU decide nothing.
OF_CPU = re.compile(r"src/(tests|plan|row)/|src/(library|call|structs)[.]rs$")
NO_SOURCES = re.compile(r"(target|tests|benches|examples)/|(.*/)?[.]|.*~$|Cargo[.]lock$")
# Every file of kernels may read all but these: modules in folders, and what `include!` reads, under any name.
NOT_SHARED = re.compile(
    r"[^/]*[.]rs$|.*[.](ptx|cuh?|md)$|(.*/)?[.]|.*~$|Cargo[.](toml|lock)$|(.*/)?target/"
)
HASHED_ANYWAY = {"kernels", "cuvec-kernels", "cuvec-kernels-macro", "cuvec-declare"}
# Lines of a manifest that only say where things are.
PLACES = (
    r"\[workspace\]",
    r"workspace =[^\n]*",
    r"build =[^\n]*",
    r"path =[^\n]*",
    r"cuvec-kernels =[^\n]*",
)


@dataclass
class Kernel:
    """A file of kernels: `modules` are compiled with it, and `read` are the files beside it that those read."""

    modules: list[str]
    read: list[str]
    hash: str


class Sources:
    """The files of kernels in a folder, by their names, and the files that were hashed."""

    def __init__(self, kernels: Path, crate: Path, runtime: Path) -> None:
        self.kernels, self.crate, self.runtime = kernels, crate, runtime
        self.hashed: set[Path] = set()
        shared = self.of_runtime() + self.of_manifest() + self.of_folder(kernels, NOT_SHARED)
        names = sorted(path.stem for path in kernels.glob("*.rs"))
        own = {name: self.line(f"{name}.rs", kernels / f"{name}.rs") for name in names}
        named = {name: self.named(name, names) for name in names}
        self.of: dict[str, Kernel] = {}
        for name in names:
            if name != "lib":
                modules, read = reached([name, *({"lib"} & {*names})], named)
                text = shared + "".join(own[it] for it in read)
                self.of[name] = Kernel(modules, read, sha256(text.encode()))

    def cargo_command(self, verb: str, *arguments: str | Path) -> tuple[str | Path, ...]:
        """Return a command for the crate as it is compiled for GPUs."""
        of_crate = ("--manifest-path", self.crate / "Cargo.toml", "--target", "nvptx64-nvidia-cuda")
        return find_cargo(), verb, "--quiet", *locked(self.crate), *of_crate, *arguments

    def line(self, name: str, file: Path) -> str:
        """Return a line with the name of a file and the hash of its text."""
        self.hashed.add(file.resolve())
        return f"{name} {sha256(read(file))}\n"

    def of_folder(self, folder: Path, ignored: re.Pattern[str], pattern: str = "**/*") -> str:
        """Return the lines of the files below a folder."""
        paths = (path for path in folder.glob(pattern) if path.is_file())
        names = sorted(path.relative_to(folder).as_posix() for path in paths)
        return "".join(self.line(name, folder / name) for name in names if not ignored.match(name))

    def of_runtime(self) -> str:
        """Return what is compiled of the runtime, and how."""
        files = [self.runtime / name for name in ("Cargo.toml", "functions.rs", "modules.rs")]
        files += [OWN / "compiler.py", OWN / "rewrite.py"]  # the flags are in the first
        sources = self.of_folder(self.runtime, OF_CPU, "src/**/*.rs")
        for crate in (self.runtime / "macro", self.runtime.parent / "declare"):
            sources += self.of_folder(crate, OF_CPU, "src/**/*.rs")
        return f"{checks()}\n{sources}" + "".join(self.line(file.name, file) for file in files)

    def of_manifest(self) -> str:
        """Return the manifest, and the crates that it names. Profiles decide nothing: flags come after them."""
        text = read(self.crate / "Cargo.toml").decode()
        text = re.sub(r"\n[ \t]*#[^\n]*", "", f"\n{text}\n")
        for line in PLACES:
            text = re.sub(rf"\n{line}", "\n", text)
        text = re.sub(r"[ \t]*\n[ \t\n]*", "\n", text)
        named = re.search(r"dependencies\]\n[^[]|dependencies[.]", text)
        return text + self.of_crates() if named else text

    def of_crates(self) -> str:
        """Return the crates that are compiled for the kernels, with versions and features, and the files of those in folders."""
        command = self.cargo_command("tree", "--edges", "normal,build", "--prefix", "none")
        command += ("--no-dedupe", "--format", "{p} {f}")
        found = ""
        for crate in sorted({it.strip() for it in output(*command).splitlines()}):
            # A crate of a registry has no place, and one of git's a scheme.
            placed = re.match(r"([^ ]+) [^ ]+ [(](/[^)]*|[A-Z]:[^)]*)[)]( .*)?$", crate)
            if not placed:
                found += f"{crate}\n"
                continue
            name, folder, features = placed.groups()
            found += f"{name}{features or ''}\n"
            if name not in HASHED_ANYWAY:
                found += self.of_folder(Path(folder), NO_SOURCES)
        return found

    def named(self, name: str, names: list[str]) -> tuple[list[str], list[str]]:
        """Return the other files that a file names in paths from `super` or `crate`, and as text for `include!`."""
        text = (self.kernels / f"{name}.rs").read_text(encoding="utf-8", errors="replace")
        paths = re.findall(r"(?:super|crate)[ \n]*::[A-Za-z0-9_:{}, \t\r\n]*", text)
        literals = re.findall(r'"[A-Za-z0-9_./\\]*[.]rs"', text)
        words = (re.findall(r"[A-Za-z0-9_]+", ";".join(found)) for found in (paths, literals))
        modules, included = (
            [it for it in dict.fromkeys(of) if it in names and it != name] for of in words
        )
        return modules, included


def checks() -> list[str]:
    """Return the flags that turn on what a developer wants checked."""
    wanted = os.environ.get("KERNELS_CHECKED")
    return ["-Coverflow-checks=on", "-Cdebug-assertions=on"] if wanted else []


def reached(
    begin: list[str], named: dict[str, tuple[list[str], list[str]]]
) -> tuple[list[str], list[str]]:
    """Return the modules that are compiled with those at the beginning, and the files that all of them read."""
    modules, read = [*begin], [*begin]
    for file in read:  # which grows
        of_modules, included = named[file]
        for other in (*of_modules, *included):
            if other not in read:
                read.append(other)
                if other in of_modules:
                    modules.append(other)
    return modules, sorted(read)


def read(file: Path) -> bytes:
    """Return the text of a file, with the line endings of Unix."""
    return file.read_bytes().replace(b"\r\n", b"\n")


def sha256(text: bytes) -> str:
    """Return the hash of a text."""
    return hashlib.sha256(text).hexdigest()
