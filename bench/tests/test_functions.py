"""Output of `bench/functions` agrees with the files, and our functions take no more lines than they may."""

from __future__ import annotations

from pathlib import Path

import pytest
import shown
from lines import ENDINGS, FUNCTIONS, LIMITS, PEERS, ROOT, TITLES, count, count_all, ours, page, seen, theirs

PAIRS = [(function, kind, limit) for function in LIMITS for kind, limit in zip(ENDINGS, LIMITS[function], strict=True)]


def test_the_page_matches_the_files() -> None:
    assert page(seen()) == (ROOT / "docs/functions.md").read_text(), "bench/functions writes it"


def test_every_test_and_kernel_that_is_named_is_there() -> None:
    assert shown.page() == (ROOT / "docs/reference/shown.md").read_text(), "bench/functions writes it"
    for gone in ("calls/test_strides.py::test_any", "calls/test_gone.py", "test_gemv.py::test_dtypes"):
        with pytest.raises(ValueError, match=gone):
            shown.path_of(gone)


def test_every_kernel_is_of_some_kind() -> None:
    """In bench/kernels, derivatives aside."""
    named = {line.split(" | ")[1] for line in shown.KINDS.strip().splitlines()}
    for kind, ending in ENDINGS.items():
        for file in (ROOT / "bench/kernels" / kind).glob(f"*{ending}"):
            assert file.stem.removesuffix("_bwd") in named


@pytest.mark.parametrize(("function", "kind", "limit"), PAIRS)
def test_a_function_takes_no_more_lines_than_it_may(function: str, kind: str, limit: int) -> None:
    assert 0 < count_all(ours(kind, function)) <= limit


def test_peers_have_no_other_functions() -> None:
    """Each has some, and each function has some peers."""
    for peer in TITLES:
        names = {file.stem for file in (PEERS / peer).iterdir() if file.suffix in {".py", ".cu"}}
        assert names
        assert names <= set(FUNCTIONS)
    for function in FUNCTIONS:
        assert sum(bool(theirs(peer, function)) for peer in TITLES) >= 3


@pytest.mark.parametrize(
    ("name", "source", "lines"),
    [
        ("f.cu", "// one\n\nint a; // two\n/* three\nfour */ int b;\n", 2),
        ("f.cu", 'const char *text = "http://a";\n', 1),
        ("f.cu", 'static constexpr auto doc = R"(One.\n\nTwo; three.)";\nint a;\n', 1),
        ("f.cu", 'static constexpr auto doc =\n    "One; "\n    "two.";\nint a;\n', 1),
        ("f.rs", "/// One.\n///\nfn f<'a>(x: &'a str) {}\n", 1),
        ("f.py", '"""One.\n\nTwo.\n"""\n\n# three\ndef f():\n    """Four."""\n    return 1  # five\n', 2),
        ("f.py", 'SOURCE = r"""\nint a;\n\n// one\nint b;\n"""\n', 4),
        ("f.py", "f(\n    1,\n    # one\n    2,\n)\n", 4),
    ],
)
def test_what_counts(tmp_path: Path, name: str, source: str, lines: int) -> None:
    file = tmp_path / name
    file.write_text(source)
    assert file.suffix in {".py", *ENDINGS.values()}
    assert count(file) == lines
