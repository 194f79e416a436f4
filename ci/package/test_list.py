"""README.md of this repository shows what `cuvec-new list` knows; a folder in `templates/` is enough for it to know more."""

from __future__ import annotations

import shutil
from pathlib import Path

from generator import EXECUTABLE, LISTING, scaffold
from shell import ROOT, run


def test_the_table_of_bindings_matches_list() -> None:
    rows = ["| bindings | what they are |", "|---|---|"]
    for bridge in LISTING["bridges"]:
        default = " (default)" if bridge["default"] else ""
        rows.append(f"| `{bridge['name']}`{default} | {bridge['summary']} |")
    table = "\n".join(rows)
    assert table in (ROOT / "README.md").read_text(), f"write this into README.md:\n{table}"


def test_new_bindings_are_a_new_folder(tmp_path: Path) -> None:
    """As templates/README.md says; test_bindings.py judges those that there are."""
    templates = tmp_path / "templates"
    shutil.copytree(ROOT / "templates", templates)
    layer = Path(shutil.copytree(templates / "bridge/nanobind", templates / "bridge/example")) / "layer.toml"
    layer.write_text(layer.read_text().replace("nanobind", "example", 1))
    assert "\n  example " in run(EXECUTABLE, "list", "--templates", templates)
    example = scaffold(tmp_path / "example", bridge="example", templates=str(templates))
    nanobind = scaffold(tmp_path / "nanobind", bridge="nanobind")
    run("diff", "--recursive", "--exclude=.cuvec-new.*", "--exclude=README.md", example, nanobind)
