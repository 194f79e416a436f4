"""Builds and runs what is in these folders, for the tests and the figures."""

import ast
import importlib.util
import os
import re
import shutil
import subprocess
import sys
from pathlib import Path

import numpy as np

from ports import cuvec

FROM = Path(__file__).parent
BEFORE = {
    "ctypes": (),
    "pybind11": ("pybind11",),
    "cuvec": ("cuvec", "pybind11"),
    "rawkernel": ("cupy",),
    "numba": ("numba",),
}
"""The modules that it needs."""
WITHOUT_A_GPU = "pybind11"
COMPILED_FOR_A_GPU = ("ctypes", "cuvec")

if not hasattr(np, "row_stack"):
    np.row_stack = np.vstack  # noqa: NPY201  some versions of Numba want what NumPy no longer has


def why_not(name):
    """Missing requirement of `before.py`, or none."""
    if cuvec.device().kind != "cuda" and name != WITHOUT_A_GPU:
        return "needs a GPU"
    if name in COMPILED_FOR_A_GPU and not shutil.which("nvcc"):
        return "needs nvcc"
    missing = [module for module in BEFORE[name] if not importlib.util.find_spec(module)]
    return f"needs {missing[0]}" if missing else None


def built(name, folder):
    """A copy in `folder`, compiled by the lines that `before.py` shows."""
    copy = Path(shutil.copytree(FROM / name, Path(folder) / name))
    for line in commands(copy / "before.py"):
        if not line.startswith("python "):
            shell(line, copy)
    return copy


def commands(script):
    """Output shown in its docstring."""
    docstring = ast.get_docstring(ast.parse(script.read_text(encoding="utf-8")))
    return re.findall(r"^    (\S.*)$", docstring, re.MULTILINE)


def shell(line, folder, **environment):
    """Output of the program, with the Python that runs this."""
    path = os.pathsep.join([str(Path(sys.executable).parent), os.environ["PATH"]])
    environment = {**os.environ, "PATH": path, "PYTHONPATH": str(FROM), **environment}
    done = subprocess.run(
        ["bash", "-c", line],
        cwd=folder,
        env=environment,
        capture_output=True,
        encoding="utf-8",
        check=False,
    )
    if done.returncode:
        raise RuntimeError(f"`{line}` failed:\n{done.stdout}{done.stderr}")
    return done.stdout


def printed(script, size, **environment):
    """Output of the program, run as a script."""
    start = f"import load, runpy, sys; sys.argv = ['{script.name}', '{size}']; "
    start += f"runpy.run_path('{script.name}', run_name='__main__')"
    return shell(f'python -c "{start}"', script.parent, **environment)


def imported(script):
    """It as a module."""
    spec = importlib.util.spec_from_file_location(f"{script.parent.name}_{script.stem}", script)
    module = importlib.util.module_from_spec(spec)
    sys.path.insert(0, str(script.parent))
    try:
        spec.loader.exec_module(module)
    finally:
        sys.path.remove(str(script.parent))
    return module
