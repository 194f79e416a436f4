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
    assert "jax.jit" not in page.read_text()
    (seconds,) = (median for name, work, _, median, *_ in figures["records"] if (name, work) == ("CuPy", "issue"))
    assert f"| CuPy, `ElementwiseKernel` | {seconds * 1e6:.3g} µs |" in page.read_text()
    assert "Numba" not in page.read_text().split("| `y += a * x` |")[1]


def test_a_page_of_other_tools_has_programs_of_jax(tmp_path: Path) -> None:
    figures = json.loads((ROOT / "docs/frameworks.json").read_text())
    figures["records"] = [record for record in figures["records"] if "jax.jit" not in record[1]]
    for subject, work, seconds in (
        ("pyo3-cu", "issue, jax.jit", 2e-5),
        ("pyo3-cu", "one more, jax.jit", 1.25e-5),
        ("JAX", "one more, jax.jit", -1e-9),
    ):
        figures["records"].append([subject, work, 4096, seconds, seconds, seconds])
    measured, page = tmp_path / "frameworks.json", tmp_path / "frameworks.md"
    measured.write_text(json.dumps(figures))
    run(sys.executable, ROOT / "ci/bench/frameworks.py", measured, page)
    programs = page.read_text().split("| in `jax.jit` |")[1]
    assert "| `pyo3-cu` | 20 µs | 12.5 µs |" in programs
    assert "| JAX, `y + a * x` | – | < 0.01 µs |" in programs
    assert "jax-tvm-ffi" not in programs.split("[functions.md]")[0]
