"""Files in CUDA C++ as a build reads them, and faults in them that compile and link all the same."""

from __future__ import annotations

import re
import sys
from pathlib import Path

NAME = "[A-Za-z_][A-Za-z_0-9]*"
ENDS = r"CUVEC_(?:EXPORT|CLASS)\({}\)"
KERNEL = re.compile(rf"__global__[^;{{(]*(?:\([^)]*\))?[^;{{(]*[ \t\n*&]({NAME})[ \t\n]*\(")
ENUM = re.compile(rf"\nenum[ \t]+(?:(?:class|struct)[ \t]+)?({NAME})")
ARCHITECTURES = re.compile(r'^ *static constexpr auto architectures = "([^"]*)";', re.MULTILINE)


def declared_architectures(file: Path) -> str:
    """Return the GPUs that a file declares in a line of its own, or nothing. The compiler compares it with what the struct has."""
    line = ARCHITECTURES.search(text_of(file))
    listed = line[1] if line else ""
    if not re.fullmatch("([0-9]+[af+]?(, [0-9]+[af+]?)*)?", listed):
        sys.exit(f'{file}: "{listed}" is no list of GPUs. It is written as in "90a, 100f, 120+"')
    return listed


def text_of(file: Path) -> str:
    """Return the text of a source, whatever its encoding."""
    return file.read_text(encoding="utf-8", errors="replace")


def check(files: list[Path]) -> None:
    """End the build if a file exports no function of its name, or two files have the same name for different things."""
    kernels: dict[str, str] = {}
    enums: dict[str, str] = {}
    for file in files:
        name, text = file.stem, text_of(file)
        check_export(name, text)
        marks = text.count("// adopt: ")
        if marks:
            print(
                f"kernels/{name}.cu: {marks} marks `// adopt:` of what `cuvec-new adopt` could not know; settle and remove them",
                file=sys.stderr,
            )
        # Two templates of one name would be linked to one, without a word; and so would two functions that take enums of one name.
        for kernel in KERNEL.findall(text):
            first = kernels.setdefault(kernel, name)
            if first != name and kernel != "__launch_bounds__":
                sys.exit(
                    f"the kernel `{kernel}` is in kernels/{first}.cu and in kernels/{name}.cu. "
                    f"Rename one of them, for instance to `{name}_{kernel}`"
                )
        for enum in ENUM.findall(text):
            first = enums.setdefault(enum, name)
            if first != name:
                sys.exit(
                    f"the enum `{enum}` is in kernels/{first}.cu and in kernels/{name}.cu. "
                    f"Rename one of them, for instance to `{name}_{enum}`, or move it into a header that both include"
                )


def check_export(name: str, text: str) -> None:
    """End the build if a file exports no function of its name."""
    if re.search(ENDS.format(name), text):
        return
    if other := re.search(f"\n{ENDS.format('([A-Za-z_0-9]+)')}", text):
        sys.exit(
            f"kernels/{name}.cu exports `{other[1]}`, and no function `{name}`. The file, the struct and the signature "
            f"have one name: rename the file to {other[1]}.cu, or `{other[1]}` in it to `{name}`"
        )
    sys.exit(
        f"kernels/{name}.cu exports no function `{name}`. "
        f"End it with: CUVEC_EXPORT({name}); or, if it is a class: CUVEC_CLASS({name});\n"
        f"Code that several functions share belongs into a header, kernels/{name}.cuh"
    )
