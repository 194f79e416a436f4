"""Declarations in CUDA C++ in a build, which says in a line what is wrong; runtime/compile/tests has what there is to say."""

import re

import pytest
from environment import Environment
from functions_alone import TEMPLATES, Library
from shell import ROOT, run

AXPY = (TEMPLATES / "axpy.cu").read_text()


def configured(library: Library, **texts: str) -> None:
    """For the CPU, with these texts as functions."""
    for name, text in texts.items():
        (library.kernels / f"{name}.cu").write_text(text)
    library.configure(cuda="OFF")


def test_a_build_shows_the_mark_before_it_compiles(library: Library) -> None:
    wrong = AXPY.replace("axpy", "wrong").replace("y: inout T(...)", "y: inout float23(...)")
    configured(library, axpy=AXPY, wrong=wrong)
    output = library.build(ok=False)
    assert re.search(r"wrong\.cu:\d+:\d+: error: `float23` is not a dtype; there is none of 23 bits; ", output)
    assert "axpy.cu.o" not in output


NEEDS_CUDA = {
    "#include <cub/device/device_scan.cuh>": "cub/device/device_scan.cuh",
    "#include <cooperative_groups.h>": "cooperative_groups.h",
    "static void work(cudaStream_t stream) {}": "cudaStream_t",
    "static cufftHandle plan = 0;": "cufftHandle",
    "static cuda::std::tuple<int> made;": "cuda",
    "static auto cubic = undeclared;": "",
}


def test_a_build_without_cuda_says_where_code_of_cuda_belongs(library: Library) -> None:
    configured(library, axpy=AXPY)
    advice = "is part of CUDA, which is not used here: put what needs it between `#ifdef CUVEC_CUDA` and `#endif`"

    def built(added: str, ok: bool) -> str:
        (library.kernels / "axpy.cu").write_text(AXPY + added)
        return library.build(ok=ok)

    for line, name in NEEDS_CUDA.items():
        first = next(it for it in built(line, ok=False).splitlines() if "error: " in it)
        at = rf".*/kernels/axpy\.cu:{AXPY.count(chr(10)) + 1}:\d+: error: "
        assert bool(re.fullmatch(at + re.escape(f"`{name}` {advice}"), first)) == bool(name), line
    built("#ifdef CUVEC_CUDA\n" + "\n".join(NEEDS_CUDA) + "\n#endif\n", ok=True)


def test_kernels_of_different_names_and_one_twice_in_a_file(library: Library) -> None:
    overloads = "".join(f"__global__ void rows(In<{dtype}> x) {{}}\n" for dtype in ("float", "double"))
    configured(library, axpy=AXPY + overloads, other=AXPY.replace("axpy", "other") + "// rows\n")


@pytest.mark.night
def test_messages_of_nvcc_are_understood_too(nvcc_tools: Environment) -> None:
    (nvcc,) = nvcc_tools.bin.parent.glob("lib/python*/site-packages/nvidia/cu13/bin/nvcc")
    tests = ROOT / "runtime/compile/tests"
    said = run(
        "python", "-m", "pytest", "-W", "error", "-p", "no:cacheprovider", tests, "-k", "nvcc", env={"NVCC": str(nvcc)}
    )
    assert re.search(r" \d{2} passed", said)
