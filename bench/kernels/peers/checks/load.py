"""Loads a function of a peer; what is in a `.cu` file is built first."""

from __future__ import annotations

import importlib.util
import shutil
import subprocess
import sysconfig
import tempfile
from pathlib import Path
from types import ModuleType

from lines import theirs


def load(peer: str, function: str) -> ModuleType:
    files = {file.suffix: file for file in theirs(peer, function)}
    with tempfile.TemporaryDirectory() as temporary:
        folder = Path(temporary)
        if peer == "pybind11":
            file = built_for_pybind11(files[".cu"], folder)
        elif peer == "jax_ffi":
            file = built_for_jax(files[".cu"], files[".py"], folder)
        else:
            file = files[".py"]
        spec = importlib.util.spec_from_file_location(function, file)
        module = importlib.util.module_from_spec(spec)
        spec.loader.exec_module(module)
    return module


def built(source: Path, library: Path, *flags: str) -> Path:
    """A library for the GPU of this machine."""
    command = ["nvcc", "-shared", "-std=c++17", "-O3", "-arch=native", "-Xcompiler=-fPIC"]
    subprocess.run([*command, *flags, "-o", library, source], check=True)
    return library


def built_for_pybind11(source: Path, folder: Path) -> Path:
    import pybind11

    module = folder / (source.stem + sysconfig.get_config_var("EXT_SUFFIX"))
    include = [f"-I{path}" for path in (pybind11.get_include(), sysconfig.get_path("include"))]
    return built(source, module, "-Xcompiler=-fvisibility=hidden", *include)


def built_for_jax(source: Path, module: Path, folder: Path) -> Path:
    """The library lies beside the Python module that loads it."""
    import jax.ffi

    built(source, folder / f"lib{source.stem}.so", f"-I{jax.ffi.include_dir()}")
    return Path(shutil.copy(module, folder))
