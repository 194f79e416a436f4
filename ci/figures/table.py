"""Writes figures between the two marks of an example's README."""

from __future__ import annotations

import json
import re
import sys
from pathlib import Path

from subject import Figure

DEVICES = ("cuda", "cpu")
MARKS = re.compile(r"(<!-- figures -->\n).*(<!-- /figures -->)", re.DOTALL)


def write(example: Path) -> None:
    """Of all devices that there are figures of in `benchmarks/`."""
    found = [path for name in DEVICES if (path := example / f"benchmarks/{name}.json").exists()]
    readme = example / "README.md"
    text, marks = MARKS.subn(
        lambda mark: mark[1] + "\n".join(map(section, found)) + mark[2], readme.read_text(encoding="utf-8")
    )
    assert marks == 1, f"{readme}: there are no marks for figures"
    readme.write_text(text, encoding="utf-8")


def section(path: Path) -> str:
    """Where it was measured, and a table with a row for each who."""
    told = json.loads(path.read_text(encoding="utf-8"))
    figures = [Figure(**row) for row in told["figures"]]
    works, everyone = ([*dict.fromkeys(getattr(f, key) for f in figures)] for key in ("work", "who"))
    cells = {(figure.work, figure.who): str(figure) for figure in figures}
    rows = [["", *works]] + [[who, *(cells.get((work, who), "–") for work in works)] for who in everyone]
    head, *body = (f"| {' | '.join(row)} |" for row in rows)
    lines = [f"{told['processor']}, {told['date']}; {told['versions']}:", "", head, "|" + "---|" * len(rows[0]), *body]
    return "\n".join([*lines, "", ""])


if __name__ == "__main__":
    for project in sys.argv[1:]:
        write(Path(project).parent)
