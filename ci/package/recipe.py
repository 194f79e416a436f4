"""Follows pages to the letter: adds the first kernel of docs/tutorials/first-kernel.md to a package, and finds commands and sessions."""

import re
from pathlib import Path

from shell import ROOT

INCLUDED = re.compile(r"^```\{literalinclude\} (\S+)\n:language: .*\n:caption: (\S+)\n```$", re.MULTILINE)


def section(page: str, title: str) -> str:
    """The text under the heading `## title`."""
    parts = re.split(r"^## (.+)$", page, flags=re.MULTILINE)
    return dict(zip(parts[1::2], parts[2::2], strict=True))[title]


def follow(package: Path) -> list[Path]:
    """Writes the files that the page shows for the language of the package's kernels; returns their paths in it."""
    page = ROOT / "docs/tutorials/first-kernel.md"
    shown = INCLUDED.findall(section(page.read_text(), "One expression for an element"))
    languages = {path.suffix for path in (package / "kernels").iterdir()}
    files = {Path(path): page.parent / source for source, path in shown if Path(path).suffix in {".py", *languages}}
    assert len(files) == 2, shown
    for path, source in files.items():
        assert not (package / path).exists()
        (package / path).write_text(source.read_text())
    return list(files)


def commands(text: str) -> str:
    """The first block of shell commands in `text`."""
    return re.search(r"^```sh\n(.*?)^```$", text, flags=re.MULTILINE | re.DOTALL)[1]


def session(text: str) -> str:
    """`text` for doctest, which takes a fence for something that Python has printed."""
    return re.sub(r"^```.*$", "", text, flags=re.MULTILINE)
