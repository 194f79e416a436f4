"""Times generators of packages beside `cp -r`, in one run of hyperfine.

    scaffolding.py PAGE.md

Every generator that takes templates is given the files of the same package, with nothing to fill in.
"""

from __future__ import annotations

import json
import os
import platform
import shutil
import subprocess
import sys
import tempfile
from pathlib import Path

from machine import today

ROOT = Path(__file__).parents[2]
CUVEC_NEW = ROOT / "target/release/cuvec-new"
PACKAGE = "mypkg"
PAGE = """\
# How fast a package is scaffolded

Written by `ci/scaffolding`; do not edit.

- date: {date}, commit: {commit}
- {cores} CPU cores, {system}
- whole processes, timed by hyperfine in one run; the mean and its standard deviation

`cuvec-new`, `cp`, cargo-generate, cookiecutter and copier make the same package of {files} files; of cookiecutter and copier
nothing is asked and nothing is filled in. The others make the project that they have built in.

{table}
"""


def run(*command: str | Path) -> None:
    subprocess.run(command, check=True, capture_output=True)


def prepare(folder: Path) -> dict[str, str]:
    """Makes the templates, and returns the command of each generator; they write to `folder`/out."""
    tree = folder / "tree"
    run(CUVEC_NEW, PACKAGE, "--output", tree, "--no-git", "--quiet")
    run(CUVEC_NEW, "export", folder / "exported", "--quiet")
    for kind in ("cookiecutter", "copier"):
        inner = folder / kind / ("{{cookiecutter.name}}" if kind == "cookiecutter" else PACKAGE)
        shutil.copytree(tree, inner)
    answers = {"name": PACKAGE, "_copy_without_render": ["*"]}
    (folder / "cookiecutter/cookiecutter.json").write_text(json.dumps(answers))
    (folder / "copier/copier.yml").write_text("_templates_suffix: .never\n")
    out = folder / "out"
    exported = folder / "exported/pyo3-cu"
    return {
        "`cp -r`": f"cp -r {tree} {out}",
        "`cuvec-new --no-git`": f"{CUVEC_NEW} {PACKAGE} --output {out} --no-git --quiet",
        "`cuvec-new`, with a git repository and a commit": f"{CUVEC_NEW} {PACKAGE} --output {out} --quiet",
        "`maturin new`": f"maturin new --bindings pyo3 {out}",
        "`uv init --lib`": f"uv init --lib --name {PACKAGE} {out}",
        "`scikit-build init`": f"scikit-build init --backend pybind11 {out}",
        "cargo-generate": f"cargo-generate generate --path {exported} --name {PACKAGE} --destination {folder}/made"
        " --silent --vcs none --define description=x --define author=A --define email=a@b.c --define license=MIT"
        " --define ci=github --define python=3.11",
        "cookiecutter": f"cookiecutter --no-input --output-dir {folder}/made {folder}/cookiecutter",
        "copier": f"copier copy --quiet --defaults {folder}/copier {out}",
    }


def measure(folder: Path, commands: dict[str, str]) -> dict[str, tuple[float, float]]:
    """Mean and standard deviation in seconds."""
    results = folder / "results.json"
    clean = f"rm -rf {folder}/out {folder}/made && mkdir {folder}/made"
    options = ["--warmup", "3", "--min-runs", "20", "--style", "basic", "--export-json", results]
    # A generator looks for a git repository above it, and must find none.
    subprocess.run(["hyperfine", *options, "--prepare", clean, *commands.values()], check=True, cwd=folder)
    found = json.loads(results.read_text())["results"]
    return {name: (one["mean"], one["stddev"]) for name, one in zip(commands, found, strict=True)}


def table(times: dict[str, tuple[float, float]]) -> str:
    copying = times["`cp -r`"][0]
    rows = ["| generator | time | beside `cp -r` |", "|---|---|---|"]
    for name, (mean, deviation) in sorted(times.items(), key=lambda item: item[1][0]):
        rows.append(f"| {name} | {1e3 * mean:.1f} ± {1e3 * deviation:.1f} ms | {mean / copying:.2f} |")
    return "\n".join(rows)


def main() -> None:
    (page,) = sys.argv[1:]
    with tempfile.TemporaryDirectory() as work:
        folder = Path(work)
        commands = prepare(folder)
        times = measure(folder, commands)
        files = sum(path.is_file() for path in (folder / "tree").rglob("*"))
    commit = ["git", "describe", "--always", "--dirty", "--abbrev=12", "--exclude=*"]
    Path(page).write_text(
        PAGE.format(
            date=today(),
            commit=subprocess.check_output(commit, text=True).strip(),
            cores=len(os.sched_getaffinity(0)),
            system=platform.system(),
            files=files,
            table=table(times),
        ),
        encoding="utf-8",
    )


if __name__ == "__main__":
    main()
