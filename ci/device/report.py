"""Runs tests and sanitizers of packages on this GPU and writes the report.

Ends with a test runner's line, and with a failure when anything failed or was skipped.
"""

import argparse
import re
import sys
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from xml.etree import ElementTree

import examples
from machine import driver, gpus, installed, today
from suite import Count, end
from table import rows_to_markdown
from tested import Tested, compared, packages_in

PAGE = Path(__file__).resolve().parents[2] / "docs/gpu.md"
# The first line of what each of the other tables is about.
MEMORY = "Memory shared with other libraries, by conformance tests that compare the addresses on both sides:"
EXAMPLES = "Programs on packages, with their pictures in [examples/](../examples/README.md):"
LANGUAGES = "The same function in both languages (`bench/kernels`), on the GPU and when it is built, on two CPU cores. The stencil has a tile in"


def counts_table(counts: dict[str, list[Count]], seen: str, earlier: str) -> list[str]:
    """Passed tests of each package, one column a run; what failed or was skipped is named. Other packages are as in the earlier page."""
    runs = [count.what for count in next(iter(counts.values()))]
    rows = {
        name: line.strip("| ").split(" | ") for line, name in re.findall(r"^(\| `(\w+)` \|.*)$", earlier, re.MULTILINE)
    }
    rows |= {package: [f"`{package}`", *(str(count) for count in row), seen] for package, row in counts.items()}
    return rows_to_markdown([["package", *runs, "seen"], *(rows[package] for package in sorted(rows))])


def sections(more: list[list[str]], earlier: str) -> list[str]:
    """The other tables under what they are about; where this run has none, the earlier page's."""
    found = {section[0]: section for section in more}
    for first in (MEMORY, EXAMPLES, LANGUAGES):
        if first not in found:
            there = re.search(rf"^{re.escape(first)}\n(?:[^|\n].*\n)*\n(?:\|.*\n)+", earlier, re.MULTILINE)
            found[first] = [there[0]] if there else []
    return [line for first in (MEMORY, EXAMPLES, LANGUAGES) for line in found[first]]


def report(commit: str, counts: dict[str, list[Count]], more: list[list[str]], earlier: str) -> str:
    seen = f"{commit}, {today()}, {gpus()} × {driver()}"
    lines = [
        "# What ran on a GPU",
        "",
        "Written by `ci/gpu`; do not edit.",
        "",
        f"- versions in the last run: {installed()}",
        "- command: `ci/gpu`, with `CUVEC_DEVICE=cuda`",
        "",
        "How fast the packages are is in [performance.md](performance.md).",
        "",
        "Passed tests. `cu`, `rust` and `mixed` are packages with kernels in CUDA C++, in Rust and in both; on them the conformance",
        "tests of the runtime run. `cufft` has a function that calls cuFFT; `pages` has the functions of the documentation, whose",
        "Python sessions are tests; `cuda12` was compiled by nvcc 12.4. The others are named after the bindings in their `src/`, which have tests of their own.",
        "Most skipped tests are of functions that a package's language does not have. *Seen* is a commit, a date, the GPU and its driver.",
        "",
        "memcheck and racecheck are tools of compute-sanitizer, run over the conformance tests that launch kernels, and over the tests of",
        "`src/`. Programs: kernels that ask for elements outside of an array, and a stencil, with and without the sanitizers; and",
        "PyTorch's `opcheck` of all operators.",
        "",
        *counts_table(counts, seen, earlier),
        *sections(more, earlier),
    ]
    return "\n".join(lines)


# The tests of test_shared_memory.py, and what it means that they have passed.
SAYS = {
    "test_they_use_our_memory": ("ours → theirs", "no copy"),
    "test_functions_use_their_memory": ("theirs → our functions", "no copy"),
    "test_asarray_copies_their_memory": ("theirs → `cuvec.asarray`", "a copy"),
}


def shared_memory(junit: Path) -> list[list[str]]:
    """Direction, way and whether memory is shared, for each passed test in a report of pytest."""
    found = []
    for case in ElementTree.parse(junit).getroot().iter("testcase"):
        test, _, way = case.get("name", "").partition("[")
        if test in SAYS and case.find("failure") is None and case.find("error") is None:
            direction, copied = SAYS[test]
            found.append([direction, f"`{re.sub(r']$', '', way)}`", copied])
    return [["direction", "way", "seen by the addresses"], *found]


def about_memory(tested: Tested) -> list[str]:
    return [MEMORY, "", *rows_to_markdown(shared_memory(tested.folder / "interop.xml"))]


def about_languages(mixed: Tested, commit: str) -> list[str]:
    intro = (
        LANGUAGES,
        "shared memory in CUDA C++; in Rust it is written as a formula. The part of Rust's library that kernels need, and the",
        f"runtime, were compiled before. Seen: {commit}, {today()}, {driver()}.",
    )
    return [*intro, "", *rows_to_markdown(compared(mixed))]


def about_examples(programs: dict[str, list[Count]]) -> list[str]:
    return [EXAMPLES, "", *rows_to_markdown(examples.rows(programs))]


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--built", type=Path, required=True)
    parser.add_argument("--output", type=Path, required=True)
    parser.add_argument("--only", nargs="*", help="packages such as cu")
    arguments = parser.parse_args()
    built: Path = arguments.built.resolve()
    packages = {package.name: package for package in packages_in(built, arguments.only)}
    with ThreadPoolExecutor(max_workers=6) as pool:
        list(pool.map(Tested.install, packages.values()))
    with ThreadPoolExecutor(max_workers=6 * gpus()) as pool:
        counts = dict(zip(packages, pool.map(Tested.runs, packages.values()), strict=True))
    commit = (built / "commit").read_text().strip()
    more = [about_memory(packages["cu"])] if "cu" in packages else []
    programs = {}
    if (built / "examples").exists() and (arguments.only is None or "examples" in arguments.only):
        programs = examples.installed(built).runs()
        more.append(about_examples(programs))
    every = [count for row in (*counts.values(), *programs.values()) for count in row]
    if {"mixed", "cu", "rust"} <= packages.keys() and not any(count.failed for count in every):
        more.append(about_languages(packages["mixed"], commit))
    text = report(commit, counts, more, PAGE.read_text() if PAGE.exists() else "")
    arguments.output.write_text(text, encoding="utf-8")
    print(text)
    return end(every)


if __name__ == "__main__":
    sys.exit(main())
