"""A function that declares GPUs is compiled for the ones that the build is for too, and no build fails for it."""

from __future__ import annotations

import sys
from pathlib import Path

import pytest
from environment import Environment
from functions_alone import build, configure
from shell import ROOT

sys.path.insert(0, str(ROOT / "runtime/backend"))

from cuvec_build.nvcc import choose, described, of_build

pytestmark = pytest.mark.night

KERNELS = ROOT / "tests/conformance/kernels/cu"
KNOWN = [75, 80, 86, 89, 90, 100, 103, 110, 120, 121]  # of nvcc 13.0


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
def test_the_gpus_that_both_are_for(build: str, declared: str, compiled: str) -> None:
    built = ["90-real"] if build == "native" else build.split(";")
    chosen = choose(declared, of_build(built, KNOWN, "13.0"))
    assert described(chosen) == compiled
    assert [it.removesuffix("-real").replace("-virtual", "+") for it in chosen] == [*filter(None, compiled.split(", "))]


@pytest.mark.parametrize(
    ("build", "promised"),
    [
        ("all-major", "75, 80, 90, 100, 110, 120, 120+"),
        ("80-real;90", "80, 90, 90+"),
        ("90a-real", "90a"),
        ("75-virtual", "75+"),
    ],
)
def test_what_a_build_is_for(build: str, promised: str) -> None:
    assert of_build(build.split(";"), KNOWN, "13.0").promised == promised


def test_an_older_nvcc_has_no_families() -> None:
    built = ["all-major"]
    assert choose("100f", of_build(built, KNOWN, "12.9")) == ["100f-real"]
    assert choose("100f", of_build(built, KNOWN, "12.8")) == []


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
