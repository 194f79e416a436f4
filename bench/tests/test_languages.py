"""docs/languages.md says what was measured, of every function that is written in both languages."""

from __future__ import annotations

import json
from pathlib import Path

import languages
from cases import CASES

ROOT = Path(__file__).resolve().parents[2]
SEEN = json.loads((ROOT / "docs/languages.json").read_text())


def test_the_page_matches_the_measurements() -> None:
    assert languages.page(SEEN) == (ROOT / "docs/languages.md").read_text()


def test_every_function_is_measured() -> None:
    """In both languages; and the samples of a package."""
    written = [{file.stem for file in (ROOT / f"bench/kernels/{it}").iterdir()} for it in languages.LANGUAGES]
    assert written[0] == written[1]
    assert CASES.keys() == written[0] | {"axpy", "dot"} == SEEN["seconds"].keys()


def test_what_is_slower_in_rust_is_bold() -> None:
    row = languages.row("gemv", [[0.9, 0.8, 1.0], [1.0, 1.0, 1.0]])
    assert row[2:] == ["900 ms", "1000 ms", "**0.90**"]
    assert languages.row("gemv", [[1.0] * 3, [1.0] * 3])[-1] == "1.00"
