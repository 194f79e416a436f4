"""Writes tables between the marks of an example's README: figures, what was ported, and what was brought."""

from __future__ import annotations

import json
import re
import sys
from pathlib import Path

import brought
import ported
from subject import Figure

from table import rows_to_markdown

DEVICES = ("cuda", "cpu")
MARKS = re.compile(r"(<!-- (figures|ports|brought) -->\n).*(<!-- /\2 -->)", re.DOTALL)


def write(example: Path) -> None:
    """All of them that it has marks for."""
    (example / "README.md").write_text(readme(example), encoding="utf-8")


def readme(example: Path) -> str:
    """The page of an example, with its tables as they should be."""
    table = {"ports": ported.rows, "brought": brought.rows}
    contents = {"figures": figures} | {
        name: lambda it, rows=rows: "\n".join(rows_to_markdown(rows(it))) for name, rows in table.items()
    }
    text, marks = MARKS.subn(
        lambda mark: mark[1] + contents[mark[2]](example) + mark[3], (example / "README.md").read_text(encoding="utf-8")
    )
    assert marks, f"{example}: there are no marks for figures in its README"
    return text


def figures(example: Path) -> str:
    """Results of all devices with results in `benchmarks/`."""
    found = [path for name in DEVICES if (path := example / f"benchmarks/{name}.json").exists()]
    return "\n".join(map(section, found))


def section(path: Path) -> str:
    """Where it was measured, and a table with a row for each who."""
    told = json.loads(path.read_text(encoding="utf-8"))
    taken = [Figure(**row) for row in told["figures"]]
    works, everyone = ([*dict.fromkeys(getattr(f, key) for f in taken)] for key in ("work", "who"))
    cells = {(figure.work, figure.who): str(figure) for figure in taken}
    rows = [["", *works]] + [[who, *(cells.get((work, who), "–") for work in works)] for who in everyone]
    lines = [f"{told['processor']}, {told['date']}; {told['versions']}:", "", *rows_to_markdown(rows)]
    return "\n".join([*lines, ""])


if __name__ == "__main__":
    for project in sys.argv[1:]:
        write(Path(project).parent)
