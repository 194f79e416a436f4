"""README.md of this repository shows what `cuvec-new --list` knows."""

from __future__ import annotations

import json

from generator import executable
from shell import ROOT, run


def test_the_table_of_bridges_is_that_of_list() -> None:
    listed = json.loads(run(executable(), "--list", "--json"))
    rows = ["| bridge | what it is | kernels |", "|---|---|---|"]
    for bridge in listed["bridges"]:
        default = " (default)" if bridge["default"] else ""
        kernels = ", ".join(f"`{kind}`" for kind in bridge["kernels"])
        rows.append(f"| `{bridge['name']}`{default} | {bridge['summary']} | {kernels} |")
    table = "\n".join(rows)
    assert table in (ROOT / "README.md").read_text(), f"write this into README.md:\n{table}"
