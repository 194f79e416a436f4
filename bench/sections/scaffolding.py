"""How fast a package is scaffolded, from docs/scaffolding.json."""

from __future__ import annotations

from typing import Any

from table import rows_to_markdown

COPYING = "`cp -r`"


def section(measured: dict[str, Any]) -> list[str]:
    return [
        "## Scaffolding",
        "",
        "Measured by `bench/scaffolding`.",
        "",
        *(f"- {what}: {value}" for what, value in measured["about"].items()),
        "- whole processes, timed by hyperfine in one run, in a folder in memory, where there is one; the mean and its standard deviation",
        "",
        f"`cuvec-new`, `cp`, cargo-generate, cookiecutter and copier make the same package, of {measured['files']} files at that",
        "commit; of cookiecutter and copier nothing is asked and nothing is filled in. The others make the project that they have built in.",
        "",
        *table(measured["milliseconds"]),
    ]


def table(milliseconds: dict[str, list[float]]) -> list[str]:
    """Rows with the mean and the standard deviation of each generator, the fastest first."""
    copying, _ = milliseconds[COPYING]
    rows = [["generator", "time", "compared with `cp -r`"]]
    for name, (mean, deviation) in sorted(milliseconds.items(), key=lambda item: item[1]):
        rows.append([name, f"{mean:.1f} ± {deviation:.1f} ms", f"{mean / copying:.2f}"])
    return rows_to_markdown(rows)
