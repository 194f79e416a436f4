"""docs/performance.md says what was measured; so does the page that `ci/gpu bench foreign` writes."""

from __future__ import annotations

import json
from pathlib import Path

import frameworks
import page as performance

DOCS = Path(__file__).resolve().parents[2] / "docs"
OURS = json.loads((DOCS / "frameworks.json").read_text())["packages"][0]


def test_the_page_matches_the_measurements(tmp_path: Path) -> None:
    page = tmp_path / "performance.md"
    performance.write(DOCS / "performance.json", DOCS, page)
    assert page.read_text() == (DOCS / "performance.md").read_text()


def test_a_page_of_other_tools_has_what_was_measured(tmp_path: Path) -> None:
    figures = json.loads((DOCS / "performance.json").read_text())
    records = [record for record in figures["records"] if record[0] != "Numba"]
    figures["processes"] = [records]
    measured, page = tmp_path / "frameworks.json", tmp_path / "frameworks.md"
    measured.write_text(json.dumps(figures))
    frameworks.write(measured, page)
    assert "jax.jit" not in page.read_text()
    (seconds,) = (median for name, work, _, median, *_ in records if (name, work) == ("CuPy", "issue"))
    assert f"| CuPy, `ElementwiseKernel` | {seconds * 1e6:.3g} µs |" in page.read_text()
    assert "Numba" not in page.read_text().split("| `y += a * x` |")[1]


def test_a_page_of_other_tools_has_programs_of_jax(tmp_path: Path) -> None:
    figures = json.loads((DOCS / "frameworks.json").read_text())
    figures["processes"] = [[record for record in figures["processes"][0] if "jax.jit" not in record[1]]]
    for subject, work, seconds in (
        (OURS, "issue, jax.jit", 2e-5),
        (OURS, "one more, jax.jit", 1.25e-5),
        ("JAX", "one more, jax.jit", -1e-9),
    ):
        figures["processes"][0].append([subject, work, 4096, seconds, seconds, seconds])
    measured, page = tmp_path / "frameworks.json", tmp_path / "frameworks.md"
    measured.write_text(json.dumps(figures))
    frameworks.write(measured, page)
    programs = page.read_text().split("| in `jax.jit` |")[1]
    assert f"| `{OURS}` | 20 µs | 12.5 µs |" in programs
    assert "| JAX, `y + a * x` | – | < 0.01 µs |" in programs
    assert "jax-tvm-ffi" not in programs.split("[functions.md]")[0]


def test_the_process_with_the_median_ratio_is_shown(tmp_path: Path) -> None:
    figures = json.loads((DOCS / "frameworks.json").read_text())
    first = figures["processes"][0]
    figures["processes"] = []
    for seconds, limit in ((3e-6, 2e-6), (9e-6, 3e-6), (8e-6, 4e-6)):  # 1.5, 3 and 2
        changed = {(OURS, "issue"): seconds, (OURS, "launch"): limit}
        others = [record for record in first if tuple(record[:2]) not in changed]
        figures["processes"].append([*others, *([*key, 4096, *[time] * 3] for key, time in changed.items())])
    measured, page = tmp_path / "frameworks.json", tmp_path / "frameworks.md"
    measured.write_text(json.dumps(figures))
    frameworks.write(measured, page)
    (row,) = (line for line in page.read_text().splitlines() if line.startswith("| a small call, asynchronous |"))
    assert " 8 = **2.00** " in row
    assert f"| `{OURS}` | 8 µs |" in page.read_text()
    measured.write_text(json.dumps({**figures, "processes": figures["processes"][:2]}))  # of a run that was cut
    frameworks.write(measured, page)
    assert " 9 = **3.00** " in page.read_text()
