"""Follows the recipe "Add a kernel" of a package's README to the letter.

Each step is one line of Markdown, followed by a fenced block of code:

    New file `tests/test_scale.py`:
"""

from __future__ import annotations

import re
from dataclasses import dataclass
from pathlib import Path

LINE = re.compile(r"^(?:\d+\. |- )?New file `(?P<path>[^`]+)`:$")


@dataclass(frozen=True)
class Edit:
    path: str
    code: str

    def apply(self, package: Path) -> None:
        path = package / self.path
        assert not path.exists(), f"{self.path} is there already"
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(self.code)


def section(readme: str, title: str) -> str:
    """The text under the heading `## title`."""
    parts = re.split(r"^## (.+)$", readme, flags=re.MULTILINE)
    return dict(zip(parts[1::2], parts[2::2], strict=True))[title]


def edits(recipe: str) -> list[Edit]:
    """Every edit of the recipe, in its order. A line that only looks like one is an error."""
    found = []
    lines = iter(recipe.splitlines())
    for line in lines:
        match = LINE.match(line.strip())
        if match:
            found.append(Edit(match["path"], fenced(lines)))
        else:
            assert not re.match(r"^(\d+\. |- )?(In|New file) `", line.strip()), f"not understood: {line}"
    return found


def follow(package: Path) -> list[Edit]:
    """Makes the edits of the recipe in the package's README; returns them."""
    found = edits(section((package / "README.md").read_text(), "Add a kernel"))
    for edit in found:
        edit.apply(package)
    return found


def fenced(lines) -> str:
    """The fenced block that comes next; at most blank lines are before it."""
    opening = next(line for line in lines if line.strip())
    fence = opening.strip()[:3]
    assert fence == "```", f"expected a fenced block, found: {opening}"
    block = []
    for line in lines:
        if line.strip() == fence:
            return "\n".join(block) + "\n"
        block.append(line)
    raise AssertionError("a fenced block does not end")


def commands(text: str) -> str:
    """The first block of shell commands in `text`."""
    return re.search(r"^```sh\n(.*?)^```$", text, flags=re.MULTILINE | re.DOTALL)[1]


def session(text: str) -> str:
    """`text` for doctest, which takes a fence for something that Python has printed."""
    return re.sub(r"^```.*$", "", text, flags=re.MULTILINE)
