"""The GPU code in a native module: machine code and PTX, as nvcc and Rust's compiler put it there."""

import re
import struct
from collections.abc import Sequence
from typing import NamedTuple

from .machine import Finding

CUDA = 13, 0  # unless the code says so
CORE = 12, 0  # whose driver has all that the core calls
NVCC = re.compile(rb"release (\d{1,3})\.(\d{1,3}), V\d")  # in its PTX, and in our notes
FUNCTION = re.compile(rb"cuvec architectures of (\w+): ((?:\d{1,4}[af+]?(?:, )?)*)\0")
PTX_AS_TEXT = re.compile(rb"^\.target sm_(\d{1,4})\b", re.MULTILINE)

# A fat binary: this magic number, version, size of the header, size of what follows. Then entries:
# kind, size of their header and of their contents, the architecture, and flags, such as whether it is sm_90a.
FAT_BINARY = struct.Struct("<IHHQ")
MAGIC, VERSION = 0xBA55ED50, 1
ENTRY = struct.Struct("<H2xIQ12xI8xQ")
PTX, MACHINE_CODE = 1, 2
VARIANTS = {0: "", 1 << 20: "a", 1 << 21: "f"}


class Image(NamedTuple):
    """Code for an architecture, such as 90, or its variant 90a; PTX is compiled by the driver."""

    is_ptx: bool
    architecture: int
    variant: str = ""

    def __str__(self) -> str:
        return f"{'PTX of ' if self.is_ptx else ''}sm_{self.architecture}{self.variant}"


# the default of nvcc of this version; Rust's PTX runs where this does
ALL_MAJOR = [*(Image(False, sm) for sm in (75, 80, 90, 100, 110, 120)), Image(True, 75)]


def asked_for(architectures: str) -> list[Image]:
    """Return what CUDAARCHS asks nvcc for, such as `75;90-real;90-virtual`: a plain number is both."""
    numbers = re.findall(r"(\d+)([a-z]?)(-real|-virtual)?", architectures)
    found = {
        Image(is_ptx, int(number), variant)
        for number, variant, only in numbers
        for is_ptx in (False, True)
        if only != ("-real" if is_ptx else "-virtual")
    }
    return sorted(found) or ALL_MAJOR


def images(module: bytes) -> list[Image]:
    """Return the images in a module, each once."""
    found = {Image(True, int(sm)) for sm in PTX_AS_TEXT.findall(module)}
    at = module.find(MAGIC.to_bytes(4, "little"))
    while at >= 0:
        found |= entries(module, at)
        at = module.find(MAGIC.to_bytes(4, "little"), at + 4)
    return sorted(found)


def entries(module: bytes, at: int) -> set[Image]:
    """Return the images of a fat binary; none if there is only its number."""
    if len(module) - at < FAT_BINARY.size:
        return set()
    magic, version, header, size = FAT_BINARY.unpack_from(module, at)
    if (magic, version, header) != (MAGIC, VERSION, FAT_BINARY.size):
        return set()
    found = set()
    at += header
    end = min(at + size, len(module))
    while at + ENTRY.size <= end:
        kind, header, size, architecture, flags = ENTRY.unpack_from(module, at)
        if header < ENTRY.size:
            break
        if kind in (PTX, MACHINE_CODE):
            variant = VARIANTS.get(flags & (1 << 20 | 1 << 21), "")
            found.add(Image(kind == PTX, architecture, variant))
        at += header + size
    return found


def functions(module: bytes) -> dict[str, list[Image]]:
    """Return what those functions are compiled for that declare it."""
    return {name.decode(): as_declared(text.decode()) for name, text in FUNCTION.findall(module)}


def as_declared(architectures: str) -> list[Image]:
    """Return the images of `90a, 100, 120+`; the last is PTX."""
    return [
        Image("+" in it, int(it.rstrip("af+")), it.strip("0123456789+"))
        for it in filter(None, architectures.split(", "))
    ]


def of_all(module: bytes) -> list[Image]:
    """Return the images without those that only functions have that declare them."""
    found, declared = images(module), functions(module).values()
    return [it for it in found if not it.variant or not any(it in theirs for theirs in declared)]


def built_with(module: bytes) -> tuple[int, int]:
    """Return the version of CUDA that made the code, or for which Rust's compiler made it."""
    release = NVCC.search(module)
    if release:
        return int(release[1]), int(release[2])
    return CORE if PTX_AS_TEXT.search(module) else CUDA


def needs(module: bytes) -> tuple[int, int]:
    """Return the version of CUDA whose driver runs the code: of nvcc's the first of its major one."""
    return max((built_with(module)[0], 0), CORE)


def covering(images: Sequence[Image], major: int, minor: int) -> Image | None:
    """Return what a GPU of this compute capability runs: machine code of its kind, or PTX."""
    capability = 10 * major + minor
    fit = [image for image in images if runs(image, capability)]
    return max(fit, key=lambda image: (not image.is_ptx, image.architecture), default=None)


def runs(image: Image, capability: int) -> bool:
    """Return whether a GPU of this compute capability runs it: 90a is for that one only, 100f for its family."""
    if image.variant == "a":
        return image.architecture == capability
    everywhere = image.is_ptx and not image.variant
    return image.architecture <= capability and (
        everywhere or image.architecture // 10 == capability // 10
    )


def of_functions(module: bytes) -> list[Finding]:
    """List the functions that are compiled only for some GPUs."""
    return [
        Finding(f"GPU code of {name}", "ok", f"{described(found)}, of the GPUs that it declares")
        for name, found in sorted(functions(module).items())
    ]


def described(images: Sequence[Image]) -> str:
    """Name them all."""
    return ", ".join(map(str, images)) or "none"
