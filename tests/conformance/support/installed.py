"""Puts an installed package in the place of the one that `runtime/check` has built, all but the functions of the tests.

installed.py PACKAGE FOLDER
"""

import importlib
import shutil
import sys
from importlib.util import find_spec
from pathlib import Path

BUILT_HERE = shutil.ignore_patterns("_functions.*", "functions.pyi")  # and what describes them


def main(name, folder):
    try:
        core = importlib.import_module(f"{name}.cuvec._core")
    except ImportError as error:
        sys.exit(f"{error}\nhint: install the package for {sys.executable}: pip install ./{name}")
    for file in [*folder.glob("*/**/*")]:
        if file.is_file() and not BUILT_HERE(file.parent, [file.name]):
            file.unlink()
    for part in ("cuvec", "dask"):
        for place in find_spec(f"{name}.{part}").submodule_search_locations:
            shutil.copytree(place, folder / part, ignore=BUILT_HERE, dirs_exist_ok=True)
    print(f"testing {core.__file__}", flush=True)


if __name__ == "__main__":
    main(sys.argv[1], Path(sys.argv[2]))
