"""Requirements of a build from PyPI: nvcc, CMake, Ninja, binding tools. They are kept as the first isolated build got them."""

from __future__ import annotations

import os
import shutil
import sys
import sysconfig
import time
import tomllib
from functools import partial
from importlib.metadata import Distribution, PackageNotFoundError, distribution, distributions
from pathlib import Path
from typing import Any

from packaging.requirements import Requirement
from packaging.utils import canonicalize_name
from scikit_build_core.build import get_requires_for_build_wheel

from . import rust
from .cache import LIST, cache_folder, discard, is_whole, key_of, store, use
from .machine import c_library

SITE = Path("Lib" if sys.platform == "win32" else "lib/python", "site-packages")
SCRIPTS = "Scripts" if sys.platform == "win32" else "bin"
DAY = 86_400  # seconds
CONSTRAINTS = ("PIP_CONSTRAINT", "PIP_BUILD_CONSTRAINT", "UV_CONSTRAINT", "UV_BUILD_CONSTRAINT")


class Tools:
    """The tools of a package: `asked` is what a frontend has to install besides `build-system.requires`."""

    def __init__(self, config_settings: dict[str, list[str] | str] | None) -> None:
        self.static: list[str] = project()["build-system"]["requires"]
        self.asked = with_more(get_requires_for_build_wheel(config_settings))
        self.all = [*self.static, *self.asked]
        cache = cache_folder()
        constraints = [os.environ.get(name) for name in CONSTRAINTS]
        tools = [*sorted(self.all), *installed_runtime()]
        python = sys.implementation.cache_tag, sysconfig.get_platform(), c_library()
        key = key_of(tools, constraints, *python)
        self.folder = cache and cache / f"tools-{key}"

    def are_kept(self) -> bool:
        """Return whether this environment may do without them: it was made for this build only, and the cache has them."""
        return self.folder is not None and is_made_for(self.static) and are_whole(self.folder)

    def use(self) -> None:
        """Put the tools of the cache first on the paths, unless this environment is one that somebody has made."""
        if self.folder is None:
            return
        if not self.are_kept():
            if not is_made_for(self.all):
                return
            if not are_whole(self.folder):
                keep(required(self.all), self.folder)
            if not self.folder.exists():  # the cache cannot be written any more
                return
        use(self.folder)
        site = str(self.folder / SITE)
        sys.path.insert(0, site)
        for name, first in ("PYTHONPATH", site), ("PATH", str(self.folder / SCRIPTS)):
            os.environ[name] = os.pathsep.join(filter(None, (first, os.environ.get(name))))

    def versions(self) -> list[str]:
        """Return what decides what is built: the versions of the tools, and where they are. Ptxas only judges."""
        deciding = [line for line in self.all if line != rust.PTXAS]
        found = required(deciding).items()
        return sorted(f"{name} {tool.version} {tool.locate_file('')}" for name, tool in found)


def project() -> dict[str, Any]:
    """Return what pyproject.toml says."""
    return tomllib.loads(Path("pyproject.toml").read_text(encoding="utf-8"))


def with_more(asked: list[str]) -> list[str]:
    """Add what scikit-build-core knows nothing of: libraries of CUDA's, Rust where there is none, ptxas after an edit."""
    ptxas = [] if has_toolkit(asked) else rust.ptxas()
    return [*asked, *libraries(asked), *rust.requirements(), *ptxas]


def has_toolkit(asked: list[str]) -> bool:
    """Return whether the build asks for nvcc, which comes with ptxas."""
    return "cuda-toolkit" in {Requirement(line).name for line in asked}


def libraries(asked: list[str]) -> list[str]:
    """Return what the package depends on of `cuda-toolkit`, such as `cuda-toolkit[cufft]==13.*`, where the build asks for nvcc.

    CMake links these libraries by `cuda_libraries(cufft)`, and pip takes the version that goes with nvcc.
    """
    if not has_toolkit(asked):
        return []
    about = project()["project"]
    optional = about.get("optional-dependencies", {})
    depends = sum(optional.values(), about.get("dependencies", []))
    return [line for line in depends if Requirement(line).name == "cuda-toolkit"]


def required(requirements: list[str]) -> dict[str, Distribution]:
    """Find what is installed of the requirements, and of what these require."""
    found: dict[str, Distribution] = {}
    todo = [Requirement(line) for line in requirements]
    seen = set()
    while todo:
        wanted = todo.pop()
        if str(wanted) in seen:
            continue
        seen.add(str(wanted))
        try:
            tool = distribution(wanted.name)
        except PackageNotFoundError:
            continue
        if name_of(tool) is None:
            continue
        found[canonicalize_name(wanted.name)] = tool
        for line in tool.requires or ():
            need = Requirement(line)
            extras = wanted.extras or {""}
            if need.marker is None or any(
                need.marker.evaluate({"extra": extra}) for extra in extras
            ):
                todo.append(need)
    return found


def installed_runtime() -> list[str]:
    """Return the sums of the runtime, if it is a tool too: its version says little while somebody works on it."""
    try:
        return [distribution("cuvec-runtime").read_text("RECORD") or ""]
    except PackageNotFoundError:
        return []


def is_made_for(requirements: list[str]) -> bool:
    """Return whether nothing but these and their requirements is installed: a frontend has made this environment for the build."""
    there = {canonicalize_name(name) for tool in distributions() if (name := name_of(tool))}
    return there == required(requirements).keys()


def name_of(tool: Distribution) -> str | None:
    """Return the name of a distribution; an installation that was interrupted has left one without."""
    try:
        return tool.metadata["Name"]
    except (OSError, TypeError):  # of later Pythons: no METADATA, no metadata
        return None


def are_whole(folder: Path) -> bool:
    """Return whether the folder has every file that was put into it: of the right size, and once a day with the right hash.

    The hashes of 350 MB take as long as the rest of a build in which nothing has changed.
    """
    if not folder.exists():
        return False
    note = folder / LIST
    recently = note.exists() and time.time() - note.stat().st_mtime < DAY
    if not is_whole(folder, by_size=recently):
        discard(folder)
        return False
    if not recently:
        use(note)
    return True


def keep(tools: dict[str, Distribution], folder: Path) -> None:
    """Copy the tools to the folder, as a whole or, if another build was faster, not at all."""
    store(folder.parent, folder.name, lambda new: [*map(partial(link_files, new), tools.values())])


def link_files(new: Path, tool: Distribution) -> None:
    """Put the files of a tool into the folder, but for scripts that name the Python of this environment."""
    scripts = {script.name for script in tool.entry_points}
    for file in tool.files or ():
        name = os.path.normpath(SITE / file)
        source = Path(str(file.locate()))
        if (name.startswith(SCRIPTS) and source.stem in scripts) or not source.is_file():
            continue
        (new / name).parent.mkdir(parents=True, exist_ok=True)
        link_or_copy(source, new / name)


def link_or_copy(source: Path, target: Path) -> None:
    """Link a file, which takes no room, where both are on one disk."""
    try:
        target.hardlink_to(source)
    except OSError:
        shutil.copy2(source, target)
