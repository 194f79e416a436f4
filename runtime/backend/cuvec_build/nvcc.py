"""The compiler that nvcc takes from the system, and the GPUs that it compiles a function for, if that declares them: `90a, 100f, 120+`.

`90a` and `100f` are architectures of nvcc with what only they have, `89` is one without, and `90+` is that one and all later
ones. Of these, the code is made for those that the build is for, as CUDAARCHS says; for none, the C++ compiler compiles the file.
"""

from __future__ import annotations

import os
import re
import shutil
import subprocess
import sys
from dataclasses import dataclass

OLDEST = 9  # of g++


def host(nvcc: str, named: str) -> tuple[str, bool]:
    """Return the compiler that nvcc has to call, if it is not the one named or its own choice, and whether it does not know glibc.

    It calls `g++`, or else one of a version that it takes, if that is installed under its name. CUDA before 13.2 declares
    `rsqrt` in another way than glibc 2.42 and later do.
    """
    older = ""
    declared, refused = preprocess(nvcc, named or os.environ.get("CUDAHOSTCXX", ""))
    is_free = not named and not {"CUDAHOSTCXX", "NVCC_CCBIN"} & os.environ.keys()
    if is_free and (
        limit := re.search("gcc versions later than ([0-9]+) are not supported", refused)
    ):
        newest = int(limit[1])
        found = (shutil.which(f"g++-{version}") for version in range(newest, OLDEST - 1, -1))
        older = next(filter(None, found), "")
        if not older:
            sys.exit(
                f"g++ is too new: this nvcc takes GCC up to {newest}. Install g++-{newest}, for instance with: "
                f"apt install g++-{newest}; or set CUDAHOSTCXX to a compiler that it takes"
            )
        print(f"g++ is too new for this nvcc, which will call {older}", file=sys.stderr)
        declared, _ = preprocess(nvcc, older)
    of_glibc = re.search(r"rsqrt *\(double __x\)[^;]*noexcept", declared)
    return older, bool(of_glibc) and " rsqrt(double x);" in declared


def preprocess(nvcc: str, compiler: str) -> tuple[str, str]:
    """Return what nvcc makes of an empty file: the declarations of the headers that it includes always, or why it takes no compiler."""
    command = (nvcc, *([f"-ccbin={compiler}"] if compiler else []), "-E", "-x", "cu", "/dev/null")
    asked = subprocess.run(command, capture_output=True, text=True, errors="replace", check=False)
    return asked.stdout, asked.stderr


@dataclass
class Architectures:
    """GPUs that a build is for, as numbers, and as in a declaration, `promised`; and those that nvcc has, `known`."""

    machine_code: list[int]
    ptx: list[int]
    promised: str
    known: list[int]
    has_families: bool  # such as 100f


def of_nvcc(nvcc: str) -> list[int]:
    """Return the architectures that nvcc has."""
    listed = subprocess.check_output((nvcc, "--list-gpu-arch"), text=True)
    return sorted(map(int, re.findall("[0-9]+", listed)))


def of_build(built: list[str], known: list[int], version: str) -> Architectures:
    """Return what CMake's CUDA_ARCHITECTURES of a build are, with an nvcc of a version."""
    if built[0].startswith("all"):
        major = built == ["all-major"]  # and the oldest one
        *real, last = [it for it in known if not major or it % 10 == 0 or it == known[0]]
        built = [*(f"{it}-real" for it in real), str(last)]
    machine_code = [it.removesuffix("-real") for it in built if not it.endswith("-virtual")]
    ptx = [it.removesuffix("-virtual") for it in built if not it.endswith("-real")]
    promised = ", ".join([*machine_code, *(f"{it}+" for it in ptx)])
    has_families = tuple(map(int, version.split(".")[:2])) >= (12, 9)
    return Architectures(numbers(machine_code), numbers(ptx), promised, known, has_families)


def numbers(names: list[str]) -> list[int]:
    """Return the numbers of architectures such as `90a`."""
    return [int(re.match("[0-9]+", it)[0]) for it in names]


def choose(declared: str, build: Architectures) -> list[str]:
    """Return CMake's list of those that a function declares, and that the build is for too."""
    chosen: list[str] = []
    for item in declared.split(", "):
        for it in wanted(item, build):
            number, kind, suffix = re.match("([0-9]+)([af]?)(.*)", it).groups()
            unknown = int(number) not in build.known or (kind == "f" and not build.has_families)
            same = re.compile(f"{number}[af]?{suffix}$")  # nvcc takes one kind of each
            if not unknown and not any(map(same.match, chosen)):
                chosen.append(it)
    return chosen


def wanted(item: str, build: Architectures) -> list[str]:
    """Return CMake's list for an item of a declaration, whatever nvcc has."""
    (number,) = numbers([item])
    if item.endswith("+"):
        real = [f"{it}-real" for it in build.machine_code if it >= number]
        # Users of PTX for an earlier one have the later GPUs as well.
        return real + [f"{max(it, number)}-virtual" for it in build.ptx]
    # Code is for GPUs of the same major version, and not for earlier ones; PTX is for all later ones.
    machine = [it for it in build.machine_code if it // 10 == number // 10]
    return [f"{item}-real"] if any(it <= number for it in machine + build.ptx) else []


def described(chosen: list[str]) -> str:
    """Return CMake's list as in a declaration."""
    return ", ".join(it.removesuffix("-real").replace("-virtual", "+") for it in chosen)
