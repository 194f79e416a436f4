"""Pages of the documentation, the functions that they include, and their Python sessions. `pages.py PACKAGE` adds these functions in CUDA
C++ to a new package. It adds the sessions as tests, and the programs in the READMEs, which need a GPU."""

import re
import shutil
import sys
from pathlib import Path
from textwrap import indent

from recipe import session
from shell import ROOT, run

DOCS = ROOT / "docs"
WRITTEN_BY_HAND = [page for page in sorted(DOCS.rglob("*.md")) if "\nWritten by " not in page.read_text()]
SESSIONS = [page for page in WRITTEN_BY_HAND if "\n>>> " in page.read_text()]
INCLUDED = re.compile(r"^```\{literalinclude\} (\S+)$", re.MULTILINE)

# Functions that test_examples.py, test_bindings.py, test_sources.py and test_cuda_libraries.py compile.
COMPILED_ELSEWHERE = (
    *(ROOT / "examples", ROOT / "templates/base", ROOT / "templates/bridge"),
    *(DOCS / "library", DOCS / "fft/version.rs"),
)


def read(*patterns: str) -> str:
    """All files that git tracks by these names."""
    return "\n".join((ROOT / path).read_text() for path in run("git", "ls-files", *patterns, cwd=ROOT).split())


def functions(language: str) -> list[Path]:
    """Every function in that language that a page shows, and what several share."""
    endings = {"cu": {".cu", ".cuh"}, "rust": {".rs"}}[language]
    shown = {(page.parent / path).resolve() for page in WRITTEN_BY_HAND for path in INCLUDED.findall(page.read_text())}
    elsewhere = [path for path in shown if any(path.is_relative_to(folder) for folder in COMPILED_ELSEWHERE)]
    return sorted(path for path in shown.difference(elsewhere) if path.suffix in endings)


def programs() -> dict[str, str]:
    """Whole Python programs in the READMEs of the repository and of the runtime."""
    found = {}
    for name, page in {"repository": ROOT / "README.md", "runtime": ROOT / "runtime/README.md"}.items():
        blocks = re.findall(r"^```python\n(.*?)^```$", page.read_text(), re.MULTILINE | re.DOTALL)
        (found[name],) = (block for block in blocks if "import torch" in block)
    return found


def main(package: Path) -> None:
    for function in functions("cu"):
        if not function.is_relative_to(DOCS / "fft"):  # which is linked with cuFFT, and a package of `ci/gpu` by itself
            shutil.copy(function, package / "kernels")
    for name, program in programs().items():
        text = indent(re.sub(r"\bmypkg\b", package.name, program), "    ")
        (package / f"tests/test_readme_of_the_{name}.py").write_text(f"def test_program():\n{text}")
    for page in SESSIONS:
        name = "_".join(page.relative_to(DOCS).with_suffix("").parts)
        text = re.sub(r"\bmypkg\b", package.name, session(page.read_text()))
        (package / f"tests/test_{name}.txt").write_text(text)  # which pytest takes for doctests
    settings = package / "pyproject.toml"
    text = re.sub(
        r"^filterwarnings = .*$", 'doctest_optionflags = ["ELLIPSIS"]', settings.read_text(), flags=re.MULTILINE
    )
    settings.write_text(text)


if __name__ == "__main__":
    main(Path(sys.argv[1]))
