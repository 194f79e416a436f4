"""Copies an installed package without its functions, for `runtime/check`, which adds the tests' functions.

installed.py PACKAGE FOLDER
"""

import importlib
import shutil
import sys
from importlib.util import find_spec
from pathlib import Path

ITS_FUNCTIONS = shutil.ignore_patterns("_functions.*", "functions.pyi", "__pycache__")


def main(name, folder):
    try:
        core = importlib.import_module(f"{name}.cuvec._core")
    except ImportError as error:
        sys.exit(f"{error}\nhint: install the package for {sys.executable}: pip install ./{name}")
    for part in ("cuvec", "dask"):
        for place in find_spec(f"{name}.{part}").submodule_search_locations:
            shutil.copytree(place, folder / part, ignore=ITS_FUNCTIONS, dirs_exist_ok=True)
    print(f"testing {core.__file__}", flush=True)


if __name__ == "__main__":
    main(sys.argv[1], Path(sys.argv[2]))
