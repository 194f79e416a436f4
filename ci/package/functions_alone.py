"""A build of functions in CUDA C++ alone, without the core and a package around them."""

from pathlib import Path

from environment import Environment
from shell import ROOT, run

PROJECT = f"""
cmake_minimum_required(VERSION 3.27...4.4)
project(declarations LANGUAGES NONE)
SETTING
include("{ROOT}/runtime/cmake/Functions.cmake")
"""


def configure(
    tools: Environment, folder: Path, *, ok: bool = True, cuda: str = "ON", setting: str = "", **env: str
) -> str:
    """Configures a build of the functions in `folder`/kernels; what CMake says, on one line. `setting` is a line of CMakeLists.txt."""
    (folder / "CMakeLists.txt").write_text(PROJECT.replace("SETTING", setting))
    command = (
        tools.bin / "cmake",
        "-G",
        "Ninja",
        "-S",
        folder,
        "-B",
        folder / "build",
        f"-DCUDA={cuda}",
        "-DSTRICT=ON",
    )
    return " ".join(run(*command, env=environment(tools, **env), ok=ok).split())


def build(tools: Environment, folder: Path, *, ok: bool = True, **env: str) -> str:
    return run(tools.bin / "cmake", "--build", folder / "build", env=environment(tools, **env), ok=ok)


def environment(tools: Environment, **env: str) -> dict[str, str]:
    none = dict.fromkeys(("CUDACXX", "CUDA_HOME", "CUDA_PATH", "CUDAToolkit_ROOT"), "")
    return {**tools.active, **none, **env}
