"""The build backend of packages: scikit-build-core, which finds again what the last build left in the user's cache.

A frontend isolates a build: the environment is new, and with it every path. So nvcc, CMake and Ninja would be unpacked
again, CMake would examine the compilers again, and every file would be compiled again. Here the tools stay where the
first build has put them (`tools`), and a package is built where it was built before (`folder`).

Where there is no Rust, it is installed, and kernels in Rust that were edited get what judges their PTX (`rust`).
Type checkers find an editable install in one folder (`wheel`).

`CUVEC_CACHE` names the cache, and `CUVEC_CACHE=0` does without. Editable installs have folders of their own. What is not used
any more is removed (`bound`). A wheel without a module that CMake was to install is none (`wheel`).
"""

from __future__ import annotations

import os
from pathlib import Path

from scikit_build_core import build
from scikit_build_core.build import *  # the other hooks

from . import rust
from .bound import tidy
from .cache import cache_folder, can_be_written
from .folder import build_folder, with_cache
from .sources import place_runtime
from .tools import Tools, with_more
from .wheel import complete, expected_modules

Settings = dict[str, list[str] | str] | None


def get_requires_for_build_wheel(config_settings: Settings = None) -> list[str]:
    """Ask for the tools that are not in the cache."""
    tools = Tools(config_settings)
    return [] if tools.are_kept() else tools.asked


def get_requires_for_build_editable(config_settings: Settings = None) -> list[str]:
    """Ask for the same, whatever the cache has."""
    return with_more(build.get_requires_for_build_editable(config_settings))


def prepare_metadata_for_build_wheel(
    metadata_directory: str, config_settings: Settings = None
) -> str:
    """Find the tools, since the metadata tell what CMake is used, and go on."""
    Tools(config_settings).use()
    return build.prepare_metadata_for_build_wheel(metadata_directory, config_settings)


def build_wheel(
    wheel_directory: str,
    config_settings: Settings = None,
    metadata_directory: str | None = None,
) -> str:
    """Build a wheel with the tools of the cache, in the folder of the last build."""
    tools = Tools(config_settings)
    tools.use()
    rust.use()
    cache = begin()
    with expected_modules() as refuse:
        try:
            with build_folder(config_settings, tools.versions()) as settings:
                place_runtime()
                name = build.build_wheel(wheel_directory, settings, metadata_directory)
        except (SystemExit, OSError):
            if cache is None or can_be_written(cache):
                raise
            os.environ["CUVEC_CACHE"] = (
                "0"  # what is in it may be read, but the build needs another folder
            )
            settings = with_cache(config_settings)
            place_runtime()
            name = build.build_wheel(wheel_directory, settings, metadata_directory)
        refuse(Path(wheel_directory, name))
    return name


def build_editable(
    wheel_directory: str,
    config_settings: Settings = None,
    metadata_directory: str | None = None,
) -> str:
    """Build an editable wheel, in a folder of the package."""
    rust.use()
    place_runtime()
    begin()
    settings = with_cache(config_settings)
    with expected_modules() as refuse:
        name = build.build_editable(wheel_directory, settings, metadata_directory)
        refuse(Path(wheel_directory, name))
    complete(Path(wheel_directory, name))
    return name


def begin() -> Path | None:
    """Remove from the cache what is not needed, and return it."""
    cache = cache_folder()
    if cache:
        tidy(cache)
    return cache
