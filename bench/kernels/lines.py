"""Counts the lines of the functions of DESIGN's table, beside the same functions for other tools, and writes a page of it.

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
SEEN = ROOT / "docs/functions.json"  # what bench/kernels/peers/check.py saw on a GPU
FUNCTIONS = ["scale", "axpy", "gemv", "dot", "histogram", "blur"]
LIMITS = {"cu": [8, 8, 28, 30, 36, 55], "rust": [5, 5, 8, 14, 22, 28]}
ENDINGS = {"cu": ".cu", "rust": ".rs"}
TITLES = {"numba": "Numba", "tvm_ffi": "tvm-ffi", "pybind11": "pybind11"}

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


def ours(kind: str, function: str) -> Path:
    """axpy and dot are the samples of every package."""
    sample = ROOT / "templates/kernels" / kind / "kernels" / (function + ENDINGS[kind])
    return sample if sample.exists() else ROOT / "bench/kernels" / kind / sample.name


def theirs(peer: str, function: str) -> Path:
    return PEERS / peer / (function + (".cu" if peer == "pybind11" else ".py"))


def digest(peer: str, function: str) -> str:
    """Of what a function of a peer is made of."""
    files = [theirs(peer, function), *sorted((PEERS / peer).glob("*.h"))]
    return hashlib.sha256(b"".join(file.read_bytes() for file in files)).hexdigest()[:16]


def counts(kind: str) -> list[int]:
    return [count(ours(kind, function)) for function in FUNCTIONS]


def of_peer(peer: str, function: str, seen: dict) -> str:
    """Its lines, and whether the file as it is now gave NumPy's results."""
    found = seen.get("results", {}).get(peer, {}).get(function, {})
    run = found.get("result", "not run") if found.get("digest") == digest(peer, function) else "not run"
    return f"{count(theirs(peer, function))}, {'not run' if run == 'absent' else run}"


def limited(lines: int, limit: int) -> str:
    return str(lines) if lines <= limit else f"**{lines}**"


def rows(seen: dict) -> list[list[str]]:
    table = [["function", "CUDA C++", "at most", "Rust", "at most", *TITLES.values()]]
    cu, rust = counts("cu"), counts("rust")
    for i, function in enumerate(FUNCTIONS):
        own = []
        for lines, limit in ((cu[i], LIMITS["cu"][i]), (rust[i], LIMITS["rust"][i])):
            own += [limited(lines, limit), str(limit)]
        table.append([f"`{function}`", *own, *(of_peer(peer, function, seen) for peer in TITLES)])
    shared = [sum(count(file) for file in (PEERS / peer).glob("*.h")) for peer in TITLES]
    table.append(["for all functions, once", *["0", ""] * 2, *map(str, shared)])
    return table


def page(seen: dict) -> str:
    head, *body = [f"| {' | '.join(row)} |".replace("|  |", "| |") for row in rows(seen)]
    table = "\n".join([head, "|---" * 8 + "|", *body])
    return (PEERS / "page.md").read_text().format(table=table, run=seen.get("about", "none of them yet"))


def seen() -> dict:
    return json.loads(SEEN.read_text()) if SEEN.exists() else {}


if __name__ == "__main__":
    Path(sys.argv[1]).write_text(page(seen()))
