"""Counts the lines of the functions of DESIGN's table, compared with the same functions for other tools, and writes a page of it.

lines.py PAGE
"""

from __future__ import annotations

import ast
import hashlib
import io
import json
import re
import sys
import tokenize
from pathlib import Path

ROOT = Path(__file__).resolve().parents[2]
PEERS = ROOT / "bench/kernels/peers"
SEEN = ROOT / "docs/functions.json"  # results of bench/kernels/peers/check.py on a GPU
LIMITS = {  # lines in CUDA C++ and in Rust; `rms_norm` is counted with its derivative
    "scale": (8, 5),
    "axpy": (8, 5),
    "gemv": (28, 8),
    "dot": (30, 14),
    "histogram": (36, 22),
    "blur": (55, 28),
    "rms_norm": (37, 33),
    "rotary": (40, 15),
    "top_k": (75, 22),
    "nonzero": (25, 12),
}
FUNCTIONS = list(LIMITS)
ENDINGS = {"cu": ".cu", "rust": ".rs"}
TITLES = {
    "numba": "Numba",
    "tvm_ffi": "tvm-ffi",
    "pybind11": "pybind11",
    "torch_extension": "PyTorch extension",
    "jax_ffi": "JAX FFI",
}

LEXEMES = re.compile(
    r"""(?P<comment>//[^\n]*|/\*.*?\*/)|R"(?P<mark>\w*)\(.*?\)(?P=mark)"|"(?:\\.|[^"\\])*"|'(?:\\.|[^'\\])'""",
    re.DOTALL,
)
STRING = r'(?:R"\(.*?\)"|"(?:\\.|[^"\\])*")'
DOC = re.compile(rf"static constexpr auto doc\s*=\s*{STRING}(?:\s*{STRING})*;", re.DOTALL)


def without_comments(source: str) -> str:
    """C++ or Rust with as many lines as before."""
    return LEXEMES.sub(lambda found: "\n" * found[0].count("\n") if found["comment"] else found[0], source)


def lines_of_native(source: str) -> int:
    code = DOC.sub("", without_comments(source))
    return sum(bool(line.strip()) for line in code.splitlines())


def docstrings(source: str) -> set[int]:
    """The lines that they are in."""
    kinds = (ast.Module, ast.ClassDef, ast.FunctionDef)
    bodies = [node.body for node in ast.walk(ast.parse(source)) if isinstance(node, kinds) and ast.get_docstring(node)]
    return {line for body in bodies for line in range(body[0].lineno, body[0].end_lineno + 1)}


def lines_of_python(source: str) -> int:
    """Text of several lines is CUDA C++: blank lines and comments in it do not count either."""
    lines: set[int] = set()
    for token in tokenize.generate_tokens(io.StringIO(source).readline):
        first, last = token.start[0], token.end[0]
        if token.type == tokenize.STRING and first != last:
            inside = without_comments(token.string.strip("rRbBuU")[3:-3]).splitlines()
            lines |= {first, last, *(first + i for i, line in enumerate(inside) if line.strip())}
        elif token.string.strip() and token.type != tokenize.COMMENT:
            lines |= set(range(first, last + 1))
    return len(lines - docstrings(source))


def count(file: Path) -> int:
    """Lines without blank ones, comments and docstrings."""
    return (lines_of_python if file.suffix == ".py" else lines_of_native)(file.read_text())


def count_all(files: list[Path]) -> int:
    return sum(map(count, files))


FOLDERS = ("templates/kernels/{}/kernels", "bench/kernels/{}", "tests/conformance/kernels/{}")


def ours(kind: str, function: str, folders: tuple[str, ...] = FOLDERS) -> list[Path]:
    """Its file, and the file of its derivative, none if it is not written in this language.

    axpy and dot are the samples of every package, and some are examples of the documentation.
    """
    names = [name + ENDINGS[kind] for name in (function, f"{function}_bwd")]
    found = ([path for name in names if (path := ROOT / folder.format(kind) / name).exists()] for folder in folders)
    return next(filter(None, found), [])


def theirs(peer: str, function: str) -> list[Path]:
    """None where it is not written for this tool."""
    return sorted((PEERS / peer).glob(f"{function}.*"))


def digest(peer: str, function: str) -> str:
    """Hash of the files of a peer's function."""
    files = [*theirs(peer, function), *sorted((PEERS / peer).glob("*.h"))]
    return hashlib.sha256(b"".join(file.read_bytes() for file in files)).hexdigest()[:16]


def of_peer(peer: str, function: str, seen: dict) -> str:
    """Its lines, and whether the files as they are now gave NumPy's results."""
    files = theirs(peer, function)
    if not files:
        return "–"
    found = seen.get("results", {}).get(peer, {}).get(function, {})
    run = found.get("result", "not run") if found.get("digest") == digest(peer, function) else "not run"
    return f"{count_all(files)}, {'not run' if run == 'absent' else run}"


def limited(lines: int, limit: int) -> str:
    return str(lines) if lines <= limit else f"**{lines}**"


def rows(seen: dict) -> list[list[str]]:
    table = [["function", "CUDA C++", "at most", "Rust", "at most", *TITLES.values()]]
    for function, limits in LIMITS.items():
        own = []
        for kind, limit in zip(ENDINGS, limits, strict=True):
            own += [limited(count_all(ours(kind, function)), limit), str(limit)]
        table.append([f"`{function}`", *own, *(of_peer(peer, function, seen) for peer in TITLES)])
    shared = [count_all(list((PEERS / peer).glob("*.h"))) for peer in TITLES]
    table.append(["for all functions, once", *["0", ""] * 2, *map(str, shared)])
    return table


def page(seen: dict) -> str:
    head, *body = [f"| {' | '.join(row)} |".replace("|  |", "| |") for row in rows(seen)]
    table = "\n".join([head, "|---" * (5 + len(TITLES)) + "|", *body])
    return (PEERS / "page.md").read_text().format(table=table, run=seen.get("about", "none of them yet"))


def seen() -> dict:
    return json.loads(SEEN.read_text()) if SEEN.exists() else {}


if __name__ == "__main__":
    Path(sys.argv[1]).write_text(page(seen()))
