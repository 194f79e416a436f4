"""docs/performance.md of this repository says what was measured; so does the page that `ci/gpu bench foreign` writes."""

from __future__ import annotations

import json
import sys
from pathlib import Path

from shell import ROOT, run


def test_the_page_is_that_of_the_figures(tmp_path: Path) -> None:
    docs, page = ROOT / "docs", tmp_path / "performance.md"
    run(sys.executable, ROOT / "ci/bench/page.py", docs / "performance.json", docs, page)
    assert page.read_text() == (docs / "performance.md").read_text()


def test_a_page_of_other_tools_has_what_was_measured(tmp_path: Path) -> None:
    figures = json.loads((ROOT / "docs/performance.json").read_text())
    figures["records"] = [record for record in figures["records"] if record[0] != "Numba"]
    measured, page = tmp_path / "frameworks.json", tmp_path / "frameworks.md"
    measured.write_text(json.dumps(figures))
    run(sys.executable, ROOT / "ci/bench/frameworks.py", measured, page)
    (seconds,) = (median for name, work, _, median, *_ in figures["records"] if (name, work) == ("CuPy", "issue"))
    assert f"| CuPy, `ElementwiseKernel` | {seconds * 1e6:.3g} µs |" in page.read_text()
    assert "Numba" not in page.read_text().split("| `y += a * x` |")[1]
