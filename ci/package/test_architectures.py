"""A function that declares GPUs is compiled for the ones that the build is for too, and no build fails for it."""

import pytest
from files import replace
from functions_alone import Library

pytestmark = pytest.mark.night


@pytest.fixture(autouse=True)
def two_functions(library: Library) -> None:
    library.add("tile_product", "scale")


@pytest.mark.parametrize(
    ("architectures", "compiled", "images"),
    [("80-real;90-real", "90a", "sm_80, sm_90, sm_90a"), ("80-real", "", "sm_80")],
)
def test_a_kernel_with_wgmma_is_built(architectures: str, compiled: str, images: str, library: Library) -> None:
    """For Hopper alone, and not at all in a build for older GPUs; the others of the package have their own."""
    output = library.configure(CUDAARCHS=architectures)
    assert f"tile_product is compiled for 90a; of these, this build has: {compiled}" in output
    library.build()
    found = library.look("images.described(images.images(code)), *images.functions(code)")
    assert found == f"{images} tile_product\n"


def test_less_code_than_the_build_promises_makes_no_wheel(library: Library) -> None:
    """In code that is linked as one, too: the owner has changed a target, or flags, behind the runtime's back."""
    setting = "set(SKBUILD_STATE wheel)\ncmake_language(DEFER CALL set_property TARGET cuvec_functions PROPERTY {})"
    lacks = "scale: no code for sm_90, which the wheel is to have"
    for of_target, found in (("CUDA_ARCHITECTURES 80-real", lacks), ("CUDA_SEPARABLE_COMPILATION ON", "")):
        library.configure(setting=setting.format(of_target), CUDAARCHS="80-real;90-real")
        for _ in range(2):  # the next build does not take what is there for made
            output = library.build(ok=not found)
            assert output.count(f"error: {lacks}\nSomething takes code away: ") == bool(found)
        seen = library.look("len(declared_code.CODE.findall(code)), *[it.found for it in declared_code.look(code)]")
        assert seen.strip() == f"2 {found}".strip()


def test_the_compiler_reads_what_the_build_reads(library: Library) -> None:
    replace(library.kernels / "tile_product.cu", 'architectures = "90a"', 'architectures =\n    "90a"')
    library.configure(cuda="OFF")
    output = library.build(ok=False)
    assert "cuvec: the build reads architectures of tile_product in a line of its own" in output
