"""docs/performance.md and docs/frameworks.md of this repository say what was measured."""

from __future__ import annotations

import sys
from pathlib import Path

from shell import ROOT, run


def test_the_page_is_that_of_the_figures(tmp_path: Path) -> None:
    docs, page = ROOT / "docs", tmp_path / "performance.md"
    run(sys.executable, ROOT / "ci/bench/page.py", docs / "performance.json", docs, page)
    assert page.read_text() == (docs / "performance.md").read_text()


def test_so_is_the_page_of_other_tools(tmp_path: Path) -> None:
    docs, page = ROOT / "docs", tmp_path / "frameworks.md"
    run(sys.executable, ROOT / "ci/bench/frameworks.py", docs / "frameworks.json", page)
    assert page.read_text() == (docs / "frameworks.md").read_text()
