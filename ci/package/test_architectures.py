"""A function that declares GPUs is compiled for the ones that the build is for too, and no build fails for it."""

from pathlib import Path

import pytest
from environment import Environment
from functions_alone import build, configure
from shell import ROOT

pytestmark = pytest.mark.night

KERNELS = ROOT / "tests/conformance/kernels/cu"


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
    architectures: str, compiled: str, images: str, nvcc_tools: Environment, kernels: Path
) -> None:
    """For Hopper alone, and not at all in a build for older GPUs; the others of the package have their own."""
    output = configure(nvcc_tools, kernels.parent, CUDAARCHS=architectures)
    build(nvcc_tools, kernels.parent, CUDAARCHS=architectures)
    assert f"tile_product is compiled for 90a; of these, this build has: {compiled}" in output
    look = (
        "import sys; sys.path.insert(0, 'cuvec'); from doctor import images; code = open(sys.argv[1], 'rb').read();"
        "print(images.described(images.images(code)), *images.functions(code))"
    )
    found = nvcc_tools.python("-c", look, kernels.parent / "build/_functions.so", cwd=ROOT / "runtime")
    assert found == f"{images} tile_product\n"


def test_less_code_than_the_build_promises_makes_no_wheel(nvcc_tools: Environment, kernels: Path) -> None:
    """In code that is linked as one, too: the owner has changed a target, or flags, behind the runtime's back."""
    setting = "set(SKBUILD_STATE wheel)\ncmake_language(DEFER CALL set_property TARGET cuvec_functions PROPERTY {})"
    lacks = "scale: no code for sm_90, which the wheel is to have"
    for of_target, found in (("CUDA_ARCHITECTURES 80-real", lacks), ("CUDA_SEPARABLE_COMPILATION ON", "")):
        configure(nvcc_tools, kernels.parent, setting=setting.format(of_target), CUDAARCHS="80-real;90-real")
        for _ in range(2):  # the next build does not take what is there for made
            output = build(nvcc_tools, kernels.parent, ok=not found, CUDAARCHS="80-real;90-real")
            assert output.count(f"error: {lacks}\nSomething takes code away: ") == bool(found)
        look = (
            "import sys; sys.path.insert(0, 'cuvec'); from doctor import declared_code as it;"
            "code = open(sys.argv[1], 'rb').read(); print(len(it.CODE.findall(code)), *[f.found for f in it.look(code)])"
        )
        library = kernels.parent / "build/_functions.so"
        assert nvcc_tools.python("-c", look, library, cwd=ROOT / "runtime").strip() == f"2 {found}".strip()


def test_the_compiler_reads_what_the_build_reads(nvcc_tools: Environment, kernels: Path) -> None:
    file = kernels / "tile_product.cu"
    file.write_text(file.read_text().replace('architectures = "90a"', 'architectures =\n    "90a"'))
    configure(nvcc_tools, kernels.parent, cuda="OFF")
    output = build(nvcc_tools, kernels.parent, ok=False)
    assert "cuvec: the build reads architectures of tile_product in a line of its own" in output
