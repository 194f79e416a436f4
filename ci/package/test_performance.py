"""docs/performance.md of this repository says what was measured; so does the page that `ci/gpu bench foreign` writes."""

from __future__ import annotations

import json
import sys
from pathlib import Path

from shell import ROOT, run

sys.path.append(str(ROOT / "ci/bench"))

from kept import joined, of_others, subjects


def test_the_page_is_that_of_the_figures(tmp_path: Path) -> None:
    docs, page = ROOT / "docs", tmp_path / "performance.md"
    run(sys.executable, ROOT / "ci/bench/page.py", docs / "performance.json", docs, page)
    assert page.read_text() == (docs / "performance.md").read_text()


def test_a_page_of_other_tools_has_what_was_measured(tmp_path: Path) -> None:
    figures = json.loads((ROOT / "docs/performance.json").read_text())
    records = [record for record in figures["records"] if record[0] != "Numba"]
    figures["processes"] = [records]
    measured, page = tmp_path / "frameworks.json", tmp_path / "frameworks.md"
    measured.write_text(json.dumps(figures))
    run(sys.executable, ROOT / "ci/bench/frameworks.py", measured, page)
    assert "jax.jit" not in page.read_text()
    (seconds,) = (median for name, work, _, median, *_ in records if (name, work) == ("CuPy", "issue"))
    assert f"| CuPy, `ElementwiseKernel` | {seconds * 1e6:.3g} µs |" in page.read_text()
    assert "Numba" not in page.read_text().split("| `y += a * x` |")[1]


def test_a_page_of_other_tools_has_programs_of_jax(tmp_path: Path) -> None:
    figures = json.loads((ROOT / "docs/frameworks.json").read_text())
    figures["processes"] = [[record for record in figures["processes"][0] if "jax.jit" not in record[1]]]
    for subject, work, seconds in (
        ("pyo3-cu", "issue, jax.jit", 2e-5),
        ("pyo3-cu", "one more, jax.jit", 1.25e-5),
        ("JAX", "one more, jax.jit", -1e-9),
    ):
        figures["processes"][0].append([subject, work, 4096, seconds, seconds, seconds])
    measured, page = tmp_path / "frameworks.json", tmp_path / "frameworks.md"
    measured.write_text(json.dumps(figures))
    run(sys.executable, ROOT / "ci/bench/frameworks.py", measured, page)
    programs = page.read_text().split("| in `jax.jit` |")[1]
    assert "| `pyo3-cu` | 20 µs | 12.5 µs |" in programs
    assert "| JAX, `y + a * x` | – | < 0.01 µs |" in programs
    assert "jax-tvm-ffi" not in programs.split("[functions.md]")[0]


def test_the_process_with_the_median_ratio_is_shown(tmp_path: Path) -> None:
    figures = json.loads((ROOT / "docs/frameworks.json").read_text())
    first = figures["processes"][0]
    figures["processes"] = []
    for seconds, limit in ((3e-6, 2e-6), (9e-6, 3e-6), (8e-6, 4e-6)):  # 1.5, 3 and 2
        changed = {("pyo3-cu", "issue"): seconds, ("pyo3-cu", "launch"): limit}
        others = [record for record in first if tuple(record[:2]) not in changed]
        figures["processes"].append([*others, *([*key, 4096, *[time] * 3] for key, time in changed.items())])
    measured, page = tmp_path / "frameworks.json", tmp_path / "frameworks.md"
    measured.write_text(json.dumps(figures))
    run(sys.executable, ROOT / "ci/bench/frameworks.py", measured, page)
    (row,) = (line for line in page.read_text().splitlines() if line.startswith("| a small call, asynchronous |"))
    assert " 8 = **2.00** " in row
    assert "| `pyo3-cu` | 8 µs |" in page.read_text()
    measured.write_text(json.dumps({**figures, "processes": figures["processes"][:2]}))  # of a run that was cut
    run(sys.executable, ROOT / "ci/bench/frameworks.py", measured, page)
    assert " 9 = **3.00** " in page.read_text()


def test_packages_are_measured_in_several_runs(tmp_path: Path) -> None:
    """Those of the same wheels and machine come together, and what is measured again replaces what was there."""
    before = json.loads((ROOT / "docs/frameworks.json").read_text())
    file = tmp_path / "frameworks.json"
    file.write_text(json.dumps(before))
    again, new = "pyo3-cu", "a-new-cu"
    record = [again, "issue", 4096, 1.0, 1.0, 1.0]
    now = {
        "about": {**before["about"], "date": "later"},
        "packages": [new, again],
        "kinds": {new: ["y += a x", 3], again: ["y += a x", 3]},
        "processes": [[record, [new, *record[1:]]]],
    }
    others = of_others(file, now["about"], now["packages"])
    assert again not in subjects(others)
    assert "tvm-ffi" in subjects(others)
    both = joined(now, others)
    assert both["packages"] == [new, *before["packages"]]
    assert [*both["kinds"]] == [new, *before["kinds"]]
    assert [it for it in both["processes"][0] if it[0] == again] == [record]
    assert [it for records in both["processes"] for it in records if it[0] == "cxx-cu"] == [
        it for records in before["processes"] for it in records if it[0] == "cxx-cu"
    ]
    assert not subjects(of_others(file, {**now["about"], "commit": "another"}, now["packages"]))
    assert not subjects(of_others(tmp_path / "none.json", now["about"], now["packages"]))
