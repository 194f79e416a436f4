"""README.md of this repository shows what `cuvec-new --list` knows."""

from __future__ import annotations

from generator import LISTING
from shell import ROOT


def test_the_table_of_bindings_is_that_of_list() -> None:
    rows = ["| bindings | what they are |", "|---|---|"]
    for bridge in LISTING["bridges"]:
        default = " (default)" if bridge["default"] else ""
        rows.append(f"| `{bridge['name']}`{default} | {bridge['summary']} |")
    table = "\n".join(rows)
    assert table in (ROOT / "README.md").read_text(), f"write this into README.md:\n{table}"
