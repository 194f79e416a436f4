"""The lines of programs before and after they were ported, and what they checked: of examples/ports/from."""

from __future__ import annotations

import ast
import re
from pathlib import Path

from lines import count

SHOWN = re.DOTALL | re.MULTILINE
HEAD = ["brought", "function", "lines before", "lines after", "checked before"]


def rows(example: Path) -> list[list[str]]:
    """A row for each folder of `from/`."""
    return [HEAD, *(row(script.parent, example) for script in sorted(example.glob("from/*/before.py")))]


def row(folder: Path, example: Path) -> list[str]:
    brought, checked = re.search(r": (.+?)\.\n.*^Checked: (.+)", docstring(folder / "before.py"), SHOWN).groups()
    kernel = re.search(r"`(kernels/(\w+)\.cu)`", docstring(folder / "after.py"))
    after = [folder / "after.py", example / kernel[1]]
    before = [file for file in folder.iterdir() if file.suffix in {".py", ".cu", ".cpp"} and file not in after]
    return [
        f"[{brought}](from/{folder.name}/before.py)",
        f"[`{kernel[2]}`]({kernel[1]})",
        str(sum(map(count, before))),
        str(sum(map(count, after))),
        " ".join(checked.split()).removesuffix("."),
    ]


def docstring(script: Path) -> str:
    return ast.get_docstring(ast.parse(script.read_text(encoding="utf-8")))
