"""A function that declares GPUs is compiled for the ones that the build is for too, and no build fails for it."""

from __future__ import annotations

import re
from pathlib import Path

import pytest
from environment import Environment
from shell import ROOT, run

CMAKE = ROOT / "runtime/cmake"
KERNELS = ROOT / "runtime/tests/kernels/cu"
KNOWN = "75 80 86 89 90 100 110 103 120 121"  # of nvcc 13.0, which does not sort them
PROJECT = f"""
cmake_minimum_required(VERSION 3.27...4.4)
project(declarations LANGUAGES NONE)
include("{CMAKE}/Functions.cmake")
"""


@pytest.fixture(scope="module")
def tools(tmp_path_factory: pytest.TempPathFactory) -> Environment:
    tools = Environment(tmp_path_factory.mktemp("tools"), "3.11")
    tools.install("cmake>=3.27", "ninja", "cuda-toolkit[nvcc,cccl]==13.0.*")
    return tools


@pytest.mark.parametrize(
    ("build", "declared", "compiled"),
    [
        ("all-major", "90a", "90a"),
        ("all-major", "90a, 103f, 999a", "90a, 103f"),
        ("all-major", "100+", "100, 110, 120, 120+"),
        ("all", "120+", "120, 121, 121+"),
        ("all-major", "90a, 90+", "90a, 100, 110, 120, 120+"),
        ("native", "90a, 100a", "90a"),
        ("80-real", "90a, 90+", ""),
        ("80-real;90", "89, 90+", "89, 90, 90+"),
        ("75", "90a, 100+", "90a, 100+"),
        ("75-virtual;100-real", "90+", "100, 90+"),
    ],
)
def test_the_gpus_that_both_are_for(
    build: str, declared: str, compiled: str, tools: Environment, tmp_path: Path
) -> None:
    """The text of what is compiled is in the same words, and CMake's list says the same."""
    nvcc = tmp_path / "nvcc"
    nvcc.write_text(f"#!/bin/sh\nprintf 'compute_%s\\n' {KNOWN}\n")
    nvcc.chmod(0o755)
    (tmp_path / "choose.cmake").write_text(
        f'include("{CMAKE}/Architectures.cmake")\nset(CMAKE_CUDA_COMPILER "{nvcc}")\n'
        f'set(CMAKE_CUDA_COMPILER_VERSION 13.0)\nset(CMAKE_CUDA_ARCHITECTURES "{build}")\n'
        f'set(CMAKE_CUDA_ARCHITECTURES_NATIVE 90-real)\nchoose_architectures(list text "{declared}")\n'
        'message("${text}|${list}")\n'
    )
    text, _, built = run(tools.bin / "cmake", "-P", tmp_path / "choose.cmake").strip().partition("|")
    assert text == compiled
    assert re.sub("-real", "", built).replace("-virtual", "+").replace(";", ", ") == compiled


def configure(tools: Environment, folder: Path, *, ok: bool = True, cuda: str = "ON", **env: str) -> str:
    """Configures a build of the functions in `folder`/kernels; what CMake says, on one line."""
    (folder / "CMakeLists.txt").write_text(PROJECT)
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
    return {"PATH": tools.path, "VIRTUAL_ENV": str(tools.bin.parent), **none, **env}


@pytest.fixture
def kernels(tmp_path: Path) -> Path:
    folder = tmp_path / "kernels"
    folder.mkdir()
    for name in ("tile_product", "scale"):
        (folder / f"{name}.cu").write_text((KERNELS / f"{name}.cu").read_text())
    return folder


@pytest.mark.parametrize(
    ("architectures", "compiled", "images"),
    [("80-real;90-real", "90a", "sm_80, sm_90, sm_90a"), ("80-real", "", "sm_80")],
)
def test_a_kernel_with_wgmma_is_built(
    architectures: str, compiled: str, images: str, tools: Environment, kernels: Path
) -> None:
    """For Hopper alone, and not at all in a build for older GPUs; the others of the package have their own."""
    output = configure(tools, kernels.parent, CUDAARCHS=architectures)
    build(tools, kernels.parent, CUDAARCHS=architectures)
    assert f"tile_product is compiled for 90a; of these, this build has: {compiled}" in output
    look = (
        "import sys; sys.path.insert(0, 'cuvec'); from doctor import images; code = open(sys.argv[1], 'rb').read();"
        "print(images.described(images.images(code)), *images.functions(code))"
    )
    found = tools.python("-c", look, kernels.parent / "build/_functions.so", cwd=ROOT / "runtime")
    assert found == f"{images} tile_product\n"


def test_the_compiler_reads_what_the_build_reads(tools: Environment, kernels: Path) -> None:
    file = kernels / "tile_product.cu"
    file.write_text(file.read_text().replace('architectures = "90a"', 'architectures =\n    "90a"'))
    configure(tools, kernels.parent, cuda="OFF")
    output = build(tools, kernels.parent, ok=False)
    assert "cuvec: the build reads architectures of tile_product in a line of its own" in output


def test_what_names_no_gpus(tools: Environment, kernels: Path) -> None:
    file = kernels / "tile_product.cu"
    file.write_text(file.read_text().replace('"90a"', '"sm_90a"'))
    output = configure(tools, kernels.parent, ok=False, cuda="OFF")
    assert '"sm_90a" is no list of GPUs. It is written as in "90a, 100f, 120+"' in output
