"""The native modules of the installed package, looked at from outside."""

import json
import platform
import re
import shlex
import shutil
import sys
from collections.abc import Mapping, Sequence
from importlib.metadata import (
    Distribution,
    PackageNotFoundError,
    distribution,
    packages_distributions,
)
from pathlib import Path
from urllib.parse import urlsplit
from urllib.request import url2pathname

from .images import built_with, described, images, of_functions
from .libraries import called_by
from .machine import Finding, Status, ask
from .wheel import misfit

NAMES = ("_core", "_functions")
SUFFIXES = (".so", ".pyd", ".dylib", ".dll")
SHOWN = 5  # of the symbols that are missing


def native(folders: Sequence[Path]) -> dict[str, Path]:
    """Return the core and the library of the functions, as far as they are in these folders."""
    files = [file for folder in folders if folder.is_dir() for file in sorted(folder.iterdir())]
    libraries = [file for file in reversed(files) if file.suffix in SUFFIXES]
    return {name: file for name in NAMES for file in libraries if file.name.split(".")[0] == name}


def extensions(package: str) -> list[Path]:
    """Return the native modules of `src/`, which are next to the folder of the core."""
    folders = [Path(folder) for folder in sys.modules[package].__path__]
    files = [file for folder in folders if folder.is_dir() for file in sorted(folder.iterdir())]
    return [file for file in files if file.suffix in SUFFIXES]


def code_of(files: Mapping[str, Path]) -> bytes:
    """Return what is in them all."""
    return b"".join(file.read_bytes() for file in files.values())


def folders_of(package: str) -> list[Path]:
    """Return where Python looks for it: in an editable install the folder of the build, too."""
    return [Path(folder) for folder in sys.modules[f"{package}.cuvec"].__path__]


def distribution_of(package: str) -> Distribution | None:
    """Return the installed distribution that has this package; an editable one has its name only."""
    outermost = package.partition(".")[0]
    names = packages_distributions().get(outermost, [outermost])
    try:
        return distribution(names[0])
    except PackageNotFoundError:
        return None


def reinstalling(installed: Distribution | None, *, from_source: bool = False) -> str:
    """Return the command that installs it again."""
    if installed is None:
        return "pip install ."
    source = source_of(installed)
    if from_source and re.search(r"\.whl'?$", source):
        return "pip install ."
    is_named = source == installed.name  # otherwise it is built anyway
    options = f"--no-binary {source} " if from_source and is_named else ""
    return f"pip install --force-reinstall --no-cache-dir {options}{source}"


def source_of(installed: Distribution) -> str:
    """Return what it was installed from, for a command line: its name where that is from an index."""
    direct = json.loads(installed.read_text("direct_url.json") or "{}")  # PEP 610
    if not direct:
        return installed.name
    source = direct["url"]
    if source.startswith("file:"):
        source = url2pathname(urlsplit(source).path)
    if vcs := direct.get("vcs_info"):
        source = f"{vcs['vcs']}+{direct['url']}@{vcs['commit_id']}"
    if folder := direct.get("subdirectory"):
        source += f"#subdirectory={folder}"
    editable = "--editable " if direct.get("dir_info", {}).get("editable") else ""
    return editable + shlex.quote(source)


def interpreter(package: str, installed: Distribution | None) -> Finding:
    """Judge the tags that the wheel had against this Python."""
    here = f"Python {platform.python_version()} at {sys.executable}, {platform.platform()}"
    lines = (installed.read_text("WHEEL") or "" if installed else "").splitlines()
    tags = [line.partition(": ")[2] for line in lines if line.startswith("Tag: ")]
    if not tags:
        found = f"{here}; {package} was installed by no wheel"
        return Finding("Python", "warning", found, "pip install .")
    reasons = [misfit(tag) for tag in tags]
    if all(reasons):
        found = f"{here}; of the wheel, {reasons[0]}"
        return Finding("Python", "problem", found, reinstalling(installed))
    return Finding("Python", "ok", f"{here}, fits {', '.join(tags)}")


def look(package: str, files: Mapping[str, Path], installed: Distribution | None) -> list[Finding]:
    """Judge the files, the libraries that they need, and the code for the GPU."""
    missing = ", ".join(name for name in NAMES if name not in files)
    if missing:
        found = f"{package} has no {missing}"
        return [Finding("native modules", "problem", found, reinstalling(installed))]
    code = code_of(files)
    found_images = images(code)
    status: Status = "ok" if found_images else "warning"
    hint = "" if found_images else f"it was built with CUDA=OFF: {reinstalling(installed)}"
    version = f", CUDA {'.'.join(map(str, built_with(code)))}" if found_images else ""
    everything = [*files.values(), *extensions(package)]
    shown = ", ".join(f"{file} of {file.stat().st_size / 1e6:.1f} MB" for file in everything)
    return [
        Finding("native modules", "ok", shown),
        libraries(installed, *everything),
        *called_by(everything),
        Finding("GPU code", status, described(found_images) + version, hint),
        *of_functions(code),
    ]


def libraries(installed: Distribution | None, *files: Path) -> Finding:
    """Judge what the dynamic linker finds for them; the first problem, if there is one."""
    findings = [libraries_of(installed, file) for file in files]
    return next((finding for finding in findings if finding.status != "ok"), findings[-1])


def libraries_of(installed: Distribution | None, file: Path) -> Finding:
    """Ask the dynamic linker which libraries and symbols the module needs; it runs nothing of it.

    Python's symbols come from the interpreter that imports it.
    """
    ldd = shutil.which("ldd")
    if ldd is None:
        hint = "on Debian and Ubuntu: apt install libc-bin"
        return Finding("libraries", "warning", "not looked at: there is no `ldd`", hint)
    code, said = ask(ldd, "-r", str(file))
    said, *undefined = re.split(r"^undefined symbol: ", said, flags=re.MULTILINE)
    wrong = re.findall(r"(\S+) => not found|version [`']([^']+)' not found", said)
    if wrong:
        names = ", ".join(dict.fromkeys(library or version for library, version in wrong))
        hint = f"build it on this system: {reinstalling(installed, from_source=True)}"
        return Finding("libraries", "problem", f"not found: {names}", hint)
    if code:
        found = said or f"ldd ended with {code}"
        return Finding("libraries", "problem", found, reinstalling(installed))
    symbols = [name for name in (it.split()[0] for it in undefined) if not is_of_python(name)]
    if symbols:
        found = f"{file.name} needs {', '.join(symbols[:SHOWN])}, which no library has"
        hint = (
            "name the library behind LIBRARIES in CMakeLists.txt, and build it again: pip install ."
        )
        return Finding("libraries", "problem", found, hint)
    needed = [line.split()[0].rpartition("/")[2] for line in said.splitlines()]
    return Finding("libraries", "ok", f"all found: {', '.join(needed)}")


def is_of_python(symbol: str) -> bool:
    """Return whether a symbol belongs to Python's C API, which no module links."""
    return symbol.startswith(("Py", "_Py"))
