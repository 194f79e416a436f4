"""The package under test: `from package import axpy, core, cuvec` imports what it has.

The environment variable `CUVEC_PACKAGE` names it. `core` is its native module.
"""

import importlib
import os
from pathlib import Path

TESTS = Path(__file__).parents[1]
KERNELS = TESTS / "kernels"  # a folder for each kernel language

NAME = os.environ.get("CUVEC_PACKAGE")
if not NAME:
    raise RuntimeError(
        "CUVEC_PACKAGE does not name the package under test. To build one: runtime/check cu"
    )
module = importlib.import_module(NAME)
core = importlib.import_module(f"{NAME}.cuvec._core")


def required_functions():
    """Return the names of the functions that the tests have in every kernel language."""
    folders = [folder for folder in KERNELS.iterdir() if folder.is_dir()]
    names = ({file.stem for file in folder.glob("*.[cr][us]")} - {"lib"} for folder in folders)
    return set.intersection(*names)


def declared_names():
    """Return the names of the functions and the classes that the package has, and of methods such as `Filter.apply`."""
    names = {it.__name__ for it in core.declared}
    for constructor, methods in core.classes:
        names |= {
            constructor.__name__,
            *(f"{constructor.__name__}.{it.__name__}" for it in methods),
        }
    return names


def functions_that_make_arrays():
    """Return all but functions of arrays of structs, and functions that are called for their effects, which programs of frameworks lack."""
    declarations = importlib.import_module(f"{NAME}.cuvec.declaration").declarations()
    made = [it for it in core.declared if declarations[it.__name__].makes_something]
    return [it for it in made if not declarations[it.__name__].struct_of_array]


def functions_of_known_sizes():
    """Return the functions that make arrays whose sizes are known before they run: JAX has no others."""
    declarations = importlib.import_module(f"{NAME}.cuvec.declaration").declarations()
    made = functions_that_make_arrays()
    return [it for it in made if not declarations[it.__name__].found]


def __getattr__(name):
    return getattr(module, name)
