"""A build of functions in CUDA C++ alone, without the core and a package around them."""

import re
import shutil
from pathlib import Path

from environment import Environment
from shell import ROOT, run

CONFORMANCE = ROOT / "tests/conformance/kernels/cu"
TEMPLATES = ROOT / "templates/kernels/cu/kernels"
PROJECT = f"""
cmake_minimum_required(VERSION 3.27...4.4)
project(declarations LANGUAGES NONE)
SETTING
include("{ROOT}/runtime/cmake/Functions.cmake")
"""
# An empty variable is not set.
NO_TOOLKIT = dict.fromkeys(("CUDACXX", "CUDA_HOME", "CUDA_PATH", "CUDAToolkit_ROOT"), "")


class Library:
    """The library of the functions in `kernels`, which tests write or add."""

    def __init__(self, tools: Environment, folder: Path) -> None:
        self.tools = tools
        self.folder = folder
        self.kernels = folder / "kernels"
        self.kernels.mkdir()
        self.file = folder / "build/_functions.so"
        self.env: dict[str, str] = {}

    def add(self, *functions: str | Path) -> None:
        """Adds files, and functions of the conformance tests by their names."""
        for function in functions:
            shutil.copy(function if isinstance(function, Path) else CONFORMANCE / f"{function}.cu", self.kernels)

    def configure(self, *, ok: bool = True, cuda: str = "ON", setting: str = "", **env: str) -> str:
        """Returns the output of CMake on one line. `setting` is a line of CMakeLists.txt; builds have the same `env`."""
        (self.folder / "CMakeLists.txt").write_text(PROJECT.replace("SETTING", setting))
        self.env = {**NO_TOOLKIT, **env}
        said = self.tools.cmake(self.folder, self.folder / "build", ok=ok, env=self.env, CUDA=cuda, STRICT="ON")
        return " ".join(said.split())

    def build(self, *, ok: bool = True) -> str:
        return run("cmake", "--build", self.folder / "build", env={**self.tools.active, **self.env}, ok=ok)

    def flags(self, function: str) -> str:
        """The flags that nvcc compiles a function with."""
        rules = (self.folder / "build/build.ninja").read_text()
        (flags,) = re.findall(rf"{function}\.cu\.o: .*\n(?:  .*\n)*?  FLAGS = (.*)", rules)
        return flags

    def look(self, expression: str) -> str:
        """Prints an expression in Python, about `code`, the bytes of the library, and modules of the doctor."""
        code = "code = open(sys.argv[1], 'rb').read()"
        program = f"import sys; from doctor import declared_code, images; {code}; print({expression})"
        return self.tools.python("-c", program, self.file, env={"PYTHONPATH": str(ROOT / "runtime/cuvec")})
