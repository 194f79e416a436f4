"""Both doctors, with a wheel and a toolkit that are not ours, and with malformed wheels, as cibuildwheel asks before a release."""

import json
import re
import shlex
import struct
import sys
import tomllib
import zipfile
from collections.abc import Callable
from pathlib import Path

import pytest
from environment import Environment
from files import contents, program
from generator import EXECUTABLE, KERNELS
from shell import run
from wheels_page import PAGE, compare, titles

# GPU code that nvcc makes when no architectures are asked for, and that Rust's compiler makes.
CODE = {
    "cu": "sm_75, sm_80, sm_90, sm_100, sm_110, sm_120, PTX of sm_120, CUDA 13.0",
    "rust": "PTX of sm_75, CUDA 12.0",
}


def found(*words: str | Path, **env: str) -> dict[str, dict[str, str]]:
    """Findings of `cuvec-new doctor`, by check."""
    shown = run(EXECUTABLE, "doctor", "--json", *words, env=env)
    return {finding["check"]: finding for finding in json.loads(shown)}


def test_code_in_a_wheel(wheel: Path, repaired: Path, kernels: str) -> None:
    before, after = found(wheel), found(repaired)
    for findings in (before, after):
        assert findings["GPU code"]["found"] == CODE[kernels]
        assert findings["libraries"]["found"] == "none bundled"
    assert before["tags"]["hint"] == f"for PyPI: auditwheel repair {wheel}"
    assert (after["tags"]["status"], after["size"]["status"]) == ("ok", "ok")


def test_an_installed_package(on_311: Environment, kernels: str) -> None:
    findings = json.loads(on_311.python("-m", "mypkg.doctor", "--json", cwd=on_311.bin))
    by_check = {finding["check"]: finding for finding in findings}
    assert by_check["GPU code"]["found"] == CODE[kernels]
    assert by_check["Python"]["status"] == by_check["libraries"]["status"] == "ok"


def test_what_nvcc_accepts_is_what_its_header_says(
    kernels: str, package: Path, build_tools: Environment, tmp_path: Path
) -> None:
    """The nvcc that pip will fetch is not there to be looked at; another one is."""
    if kernels != "cu":
        pytest.skip("needs no nvcc")
    (toolkit,) = build_tools.bin.parent.glob("lib/python*/site-packages/nvidia/cu13")
    clang = program(tmp_path / "clang++", "echo clang version 14.0.6")
    for env in ({}, {"CUDAHOSTCXX": str(clang)}):
        fetched, chosen = (found(package, **env, **more) for more in ({}, {"CUDA_HOME": str(toolkit)}))
        assert chosen["compiler of nvcc"] == fetched["compiler of nvcc"]
        assert chosen["CCCL"]["status"] == "ok"
        assert chosen["nvcc"]["found"] == f"13.0 at {toolkit}/bin/nvcc of CUDA_HOME"


FUNCTIONS = "mypkg/cuvec/_functions.so"
METADATA = "mypkg-0.1.0.dist-info/METADATA"


def audit(package: Path, wheel: Path, *options: str, ok: bool = False) -> str:
    """Findings of the doctor in the source tree, started as `audit-command` says."""
    with (package / "pyproject.toml").open("rb") as file:
        commands = tomllib.load(file)["tool"]["cibuildwheel"]["audit-command"]
    (command,) = [command for command in commands if "{wheel}" in command]
    python, *words = [word.format(project=package, wheel=wheel) for word in shlex.split(command)]
    assert python == "python"
    return run(sys.executable, *words, *options, ok=ok)


def altered(wheel: Path, folder: Path, change: Callable[[bytes], bytes], name: str = FUNCTIONS) -> Path:
    """A wheel of the same name, in which a file is another one, or there is one more."""
    files = {name: b"", **contents(wheel)}
    changed = change(files[name])
    assert changed != files[name]
    with zipfile.ZipFile(folder / wheel.name, "w") as after:
        for member, held in {**files, name: changed}.items():
            after.writestr(member, held)
    return folder / wheel.name


def without_its_first_kernel(library: bytes) -> bytes:
    return library.replace(b".visible .entry axpy_f32(", b".visible .entry axpy_f33(", 1)


def for_hopper_alone(library: bytes) -> bytes:
    """The code of `axpy` is for sm_90a in the place of sm_90."""
    note = library.index(b"cuvec code of axpy") - 8
    (distance,) = struct.unpack_from("<q", library, note)
    entry = re.compile(rb"\x02\x00.{26}\x5a\x00\x00\x00.{8}..", re.DOTALL).search(library, note + distance)
    assert entry
    flags = entry.end()
    return library[:flags] + bytes([library[flags] | 0x10]) + library[flags + 1 :]


def test_the_wheel_is_good(kernels: str, package: Path, repaired: Path) -> None:
    said = audit(package, repaired, ok=True)
    assert "problem" not in said
    compare({"cu": "CUDA 13", "rust": "Kernels in Rust"}[kernels], repaired, said)


LOADS_CUFFT = b"libcufft.so.12 cannot be loaded. To install it: pip install 'cuda-toolkit[cufft]==13.*'\0"
# Languages of the kernels, a file in the wheel, what it becomes, and what the doctor says of it.
WRONG = {
    "Code for a variant of a GPU in place of the GPU": (
        ["cu"],
        FUNCTIONS,
        for_hopper_alone,
        "GPU code of functions: axpy: no code for sm_90, which the wheel is to have",
    ),
    "A kernel that the PTX lacks": (
        ["rust"],
        FUNCTIONS,
        without_its_first_kernel,
        "GPU code of functions: axpy_f32: no code for PTX of sm_75, which the wheel is to have",
    ),
    "A library that no machine has": (
        KERNELS,
        FUNCTIONS,
        lambda it: it.replace(b"\0libc.so.6\0", b"\0libq.so.6\0"),
        "libraries: not in the wheel, and not in every Linux: libq.so.6",
    ),
    "A library of CUDA's that nothing installs": (
        KERNELS,
        FUNCTIONS,
        lambda it: it + LOADS_CUFFT,
        f"libraries: {FUNCTIONS} calls libcufft.so.12, which nothing installs",
    ),
    "The driver in the wheel": (
        KERNELS,
        "mypkg.libs/libcuda-1a2b3c4d.so.1",
        lambda _: b"\x7fELF",
        "libraries: the driver is in it, which every machine has of its own: mypkg.libs/libcuda-1a2b3c4d.so.1",
    ),
    "A later CUDA than the metadata say": (
        ["cu"],  # PTX is for drivers of CUDA 12
        METADATA,
        lambda it: it.replace(b"NVIDIA CUDA :: 13", b"NVIDIA CUDA :: 12"),
        f"GPU code: {CODE['cu']}, but the metadata say CUDA 12",
    ),
}


@pytest.mark.parametrize("title", WRONG)
def test_a_wheel_made_wrong(title: str, kernels: str, package: Path, repaired: Path, tmp_path: Path) -> None:
    languages, name, change, found = WRONG[title]
    if kernels not in languages:
        pytest.skip("code of the other language")
    wheel = altered(repaired, tmp_path, change, name)
    said = audit(package, wheel)
    assert re.findall("^problem +(.*?);", said, re.MULTILINE) == [found]
    if kernels == languages[0]:
        compare(title, wheel, said)


def test_a_wheel_that_is_too_large(kernels: str, package: Path, repaired: Path) -> None:
    said = audit(package, repaired, "--limit=1")
    assert re.search(r"^problem  size: 1\.\d MiB, PyPI takes 1; ", said, re.MULTILINE)
    if kernels == KERNELS[0]:
        compare("A wheel over PyPI's limit", repaired, said)


@pytest.mark.usefixtures("one_language")
def test_a_damaged_wheel(package: Path, repaired: Path, tmp_path: Path) -> None:
    wheel = tmp_path / repaired.name
    wheel.write_bytes(repaired.read_bytes()[:-1000])
    said = audit(package, wheel)
    assert said.startswith("problem  wheel: ")
    compare("A damaged wheel", wheel, said)


def test_all_that_the_page_shows_is_compared() -> None:
    sources = "".join(file.read_text() for file in Path(__file__).parent.glob("test_*.py"))
    for title in titles():
        assert f'"{title}"' in sources, f"{PAGE}: no test compares {title}"
