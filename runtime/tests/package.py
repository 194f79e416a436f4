"""The package that is tested: `from package import axpy, core, cuvec` gives what it has.

It is the project that these tests are in, by the name in its pyproject.toml; the environment
variable `CUVEC_PACKAGE` names another module. `core` is its native module.
"""

import importlib
import os
import re
import tomllib
from pathlib import Path

HERE = Path(__file__).parent


def _name_of_the_project():
    pyproject = HERE.parents[1] / "pyproject.toml"
    name = tomllib.loads(pyproject.read_text(encoding="utf-8"))["project"]["name"]
    return re.sub(r"[-.]", "_", name)


NAME = os.environ.get("CUVEC_PACKAGE") or _name_of_the_project()
module = importlib.import_module(NAME)
core = importlib.import_module(f"{NAME}.cuvec._core")


def __getattr__(name):
    return getattr(module, name)
