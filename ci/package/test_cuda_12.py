"""A toolkit of CUDA 12 compiles functions, bfloat16 and CUB among them, and packages that are made for it; the doctor says which
driver runs them. And one wheel may have code of CUDA 12 and 13."""

import os
import re
import shutil
from io import BytesIO
from pathlib import Path

import pytest
from elftools.elf.elffile import ELFFile
from environment import Environment, groups
from functions_alone import NO_TOOLKIT, Library
from generator import EXECUTABLE, scaffold
from shell import ROOT, run
from wheels_page import compare

pytestmark = pytest.mark.night

# of the toolkit's library for kernels that launch kernels, PyPI has one that is too new for its linker
SETTINGS = {"CUDAARCHS": "90", "NVCC_APPEND_FLAGS": "-cudadevrt none"}


@pytest.fixture(scope="module")
def toolkit(folder: Path) -> Path:
    if not shutil.which("apt-get") or os.geteuid():
        pytest.skip("needs root, on Debian")
    run(ROOT / "ci/cuda12.sh", folder / "12")
    return folder / "12"


def test_functions_for_older_drivers(toolkit: Path, library: Library) -> None:
    library.add("axpy", "rms_norm", "prefix_sums")
    assert "NVIDIA 12.4" in library.configure(CUDA_HOME=str(toolkit), **SETTINGS)
    library.build()
    assert library.look("images.described(images.images(code))") == "sm_90, PTX of sm_90\n"
    seen = library.look("images.built_with(code), images.needs(code), *declared_code.look(code)")
    assert seen == "(12, 4) (12, 0)\n"


@pytest.fixture(scope="module")
def package(folder: Path) -> Path:
    """With bindings that have a `.cu` file, too."""
    return scaffold(folder / "mypkg", bridge="nanobind", cuda="12")


@pytest.fixture(scope="module")
def environment(folder: Path) -> Environment:
    return Environment(folder / "venv", "3.13")


def test_a_package(toolkit: Path, package: Path, environment: Environment, tmp_path: Path) -> None:
    """As its owner builds it, whom the doctor has told what is missing."""
    told = run(EXECUTABLE, "doctor", package, env=NO_TOOLKIT, ok=False)
    assert "problem  nvcc: none, and PyPI has none of CUDA 12; set CUDA_HOME to a toolkit of CUDA 12" in told
    env = {**NO_TOOLKIT, "CUDA_HOME": str(toolkit), **SETTINGS}
    assert f"ok       nvcc: 12.4 at {toolkit}/bin/nvcc of CUDA_HOME" in run(EXECUTABLE, "doctor", package, env=env)
    wheel = environment.wheel(package, tmp_path / "wheel", env=env)
    said = environment.python(ROOT / "runtime/cuvec/doctor", wheel)
    assert "ok       GPU code: sm_90, PTX of sm_90, CUDA 12.4\n" in said
    compare("CUDA 12", wheel, said)
    pass_tests(environment, package, wheel)


def test_a_wheel_of_both(
    toolkit: Path, nvcc_tools: Environment, package: Path, environment: Environment, tmp_path: Path
) -> None:
    """nvcc 13 adds code for GPUs that nvcc 12.4 does not know; all else is of 12.4. A release stops at it: of code of nvcc 13 the
    doctor does not know for which GPUs it is needed."""
    (later,) = nvcc_tools.bin.parent.glob("lib/python*/site-packages/nvidia/cu13/bin/nvcc")
    run(ROOT / "ci/two-toolkits.sh", toolkit, later, tmp_path / "both", "100", "120")
    wheel = environment.wheel(
        package, tmp_path / "wheel", env={**NO_TOOLKIT, "CUDA_HOME": str(tmp_path / "both"), **SETTINGS}
    )
    said = environment.python(ROOT / "runtime/cuvec/doctor", wheel, ok=False)
    found = "sm_90, sm_100, sm_120, PTX of sm_90, CUDA 13.0, but the metadata say CUDA 12"
    assert re.findall("^problem +(.*?);", said, re.MULTILINE) == [f"GPU code: {found}"]
    compare("Both in one", wheel, said)
    pass_tests(environment, package, wheel)
    (library,) = environment.bin.parent.glob("lib/python*/site-packages/mypkg/cuvec/_functions.so")
    found = kernels(library.read_bytes())
    assert [*found] == [(7, 90), (8, 100), (8, 120)]
    assert len(found[7, 90]) >= 5
    assert found[7, 90] == found[8, 100] == found[8, 120]


def kernels(library: bytes) -> dict[tuple[int, int], set[str]]:
    """The kernels in each kind of machine code that is not compressed: of ELF ABI 7, as CUDA 12 has, or 8, and a GPU."""
    found: dict[tuple[int, int], set[str]] = {}
    for start in (match.start() for match in re.finditer(rb"\x7fELF\x02\x01", library)):
        code = ELFFile(BytesIO(library[start:]))
        if code["e_machine"] == "EM_CUDA":
            abi, flags = code["e_ident"]["EI_ABIVERSION"], code["e_flags"]
            names = {section.name for section in code.iter_sections() if section.name.startswith(".text.")}
            found.setdefault((abi, flags >> 8 & 255 if abi > 7 else flags & 255), set()).update(names)
    return found


def pass_tests(environment: Environment, package: Path, wheel: Path) -> None:
    """Installs a wheel in place of another one, and runs the owner's tests."""
    environment.install(*groups(package, "test"), "--reinstall-package=mypkg", wheel)
    result = environment.pytest(package, CUVEC_DEVICE="cpu")
    assert set(result) <= {"passed", "skipped"}
    assert result["passed"] >= 40
