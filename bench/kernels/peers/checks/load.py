"""Loads a function of a peer; with pybind11 it is built first."""

from __future__ import annotations

import importlib.util
import subprocess
import sysconfig
import tempfile
from collections.abc import Callable
from pathlib import Path

from lines import theirs


def load(peer: str, function: str) -> Callable:
    source = theirs(peer, function)
    with tempfile.TemporaryDirectory() as folder:
        file = built(source, Path(folder)) if peer == "pybind11" else source
        spec = importlib.util.spec_from_file_location(function, file)
        module = importlib.util.module_from_spec(spec)
        spec.loader.exec_module(module)
    return getattr(module, function)


def built(source: Path, folder: Path) -> Path:
    """An extension module, for the GPU of this machine."""
    import pybind11

    module = folder / (source.stem + sysconfig.get_config_var("EXT_SUFFIX"))
    command = ["nvcc", "-shared", "-std=c++17", "-O3", "-arch=native", "-Xcompiler=-fPIC,-fvisibility=hidden"]
    include = [f"-I{pybind11.get_include()}", f"-I{sysconfig.get_path('include')}"]
    subprocess.run([*command, *include, "-o", module, source], check=True)
    return module
