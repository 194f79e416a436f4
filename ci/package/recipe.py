"""Follows the recipe "Add a kernel" of a package's README to the letter.

Each edit is one line of Markdown, followed by a fenced block of code:

    In `kernels/kernels.cu`, at the end:
    In `src/lib.rs`, after `a line of the file`:
    In `src/lib.rs`, before `a line of the file`:
    In `src/lib.rs`, replace `a line of the file` by:
    New file `tests/test_scale.py`:
"""

from __future__ import annotations

import re
import textwrap
from dataclasses import dataclass
from pathlib import Path

LINE = re.compile(r"^(?:\d+\. |- )?(?P<what>In|New file) `(?P<path>[^`]+)`(?:, (?P<where>.+))?:$")
WHERE = re.compile(r"^(?P<how>at the end|after|before|replace)(?: `(?P<anchor>.+)`(?: by)?)?$")


@dataclass(frozen=True)
class Edit:
    path: str
    how: str  # "new file", "at the end", "after", "before" or "replace"
    anchor: str
    code: str

    def apply(self, package: Path) -> None:
        path = package / self.path
        if self.how == "new file":
            assert not path.exists(), f"{self.path} is there already"
            path.parent.mkdir(parents=True, exist_ok=True)
            path.write_text(self.code)
            return
        text = path.read_text()
        if self.how == "at the end":
            path.write_text(text + self.code)
            return
        lines = text.splitlines()
        places = [number for number, line in enumerate(lines) if line.strip() == self.anchor.strip()]
        assert len(places) == 1, f"`{self.anchor}` is {len(places)} times in {self.path}"
        (place,) = places
        indent = lines[place][: len(lines[place]) - len(lines[place].lstrip())]
        code = self.code if self.code.startswith(" ") else textwrap.indent(self.code, indent)
        start, stop = {"after": (place + 1, place + 1), "before": (place, place), "replace": (place, place + 1)}[
            self.how
        ]
        lines[start:stop] = code.splitlines()
        path.write_text("\n".join(lines) + "\n")


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
        if not match:
            assert not re.match(r"^(\d+\. |- )?(In|New file) `", line.strip()), f"not understood: {line}"
            continue
        where = WHERE.match(match["where"] or "")
        assert where or match["what"] == "New file", f"not understood: {line}"
        how, anchor = (where["how"], where["anchor"] or "") if where else ("new file", "")
        found.append(Edit(match["path"], how, anchor, fenced(lines)))
    return found


def follow(package: Path, *recipes: Path) -> list[Edit]:
    """Makes the edits of the recipe in the package's README, or of others in its form; returns them."""
    texts = [path.read_text() for path in recipes] or [section((package / "README.md").read_text(), "Add a kernel")]
    found = [edit for text in texts for edit in edits(text)]
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
