"""The code for GPUs that each declared function has, compared with what the build promised."""

import re
import struct
from collections.abc import Iterable, Iterator

from .images import Image, as_declared, entries, functions, runs
from .machine import Finding

# as in include/cuvec/function.h and kernels/src/pipeline/mod.rs
CODE = re.compile(rb"cuvec code of (\w+): ((?:\d{1,4}[af]?\+?(?:, )?)*)\0")
KERNEL = re.compile(rb"cuvec kernel (\w+)\0")
PTX = re.compile(rb"^(?:\.target sm_(\d{1,4})\b|\.visible \.entry (\w+))", re.MULTILINE)
DISTANCE = struct.Struct("<q")
OLDEST = Image(True, 75)  # the code of kernels in Rust that declare nothing


def look(library: bytes) -> Iterator[Finding]:
    """Find functions without code for a GPU that the library was built for."""
    lacking: dict[Image, list[str]] = {}
    for name, image in (*in_cuda(library), *in_rust(library)):
        lacking.setdefault(image, []).append(name)
    hint = "build it again: CUVEC_CACHE=0 pip wheel --no-deps ."
    for image, names in sorted(lacking.items()):
        found = f"{', '.join(sorted(names))}: no code for {image}, which the wheel is to have"
        yield Finding("GPU code of functions", "problem", found, hint)


def in_cuda(library: bytes) -> Iterator[tuple[str, Image]]:
    """Name functions, and what they lack."""
    for note in CODE.finditer(library):
        start = note.start() - DISTANCE.size
        at = start + DISTANCE.unpack_from(library, start)[0] if start >= 0 else -1
        found = entries(library, at) if at >= 0 else set()
        for wanted in as_declared(note[2].decode()):
            if not has(found, wanted):
                yield note[1].decode(), wanted


def has(found: Iterable[Image], wanted: Image) -> bool:
    """Return whether an image has the wanted code; neither of sm_90 and sm_90a replaces the other."""
    if wanted.variant:
        return wanted in found
    if wanted.is_ptx:
        fit = (it for it in found if it.is_ptx and not it.variant)
        return any(it.architecture <= wanted.architecture for it in fit)
    return any(it.variant != "a" and runs(it, wanted.architecture) for it in found)


def in_rust(library: bytes) -> Iterator[tuple[str, Image]]:
    """Name kernels, and what they lack; a build without CUDA has no code for GPUs at all."""
    targets, target = dict[str, int](), None
    for found in PTX.finditer(library):
        if found[1]:
            target = int(found[1])
        elif target:
            name = found[2].decode()
            targets[name] = min(target, targets.get(name, target))
    if target is None and not CODE.search(library):
        return
    declared = functions(library)
    for kernel in {found.decode() for found in KERNEL.findall(library)}:
        of_functions = (them for name, them in declared.items() if kernel.startswith(f"{name}_"))
        (wanted,) = next(of_functions, [OLDEST])
        if targets.get(kernel, wanted.architecture + 1) > wanted.architecture:
            yield kernel, wanted
