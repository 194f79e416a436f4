"""Times generators of packages compared with `cp -r`, in one run of hyperfine.

    scaffolding.py FIGURES.json

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

from machine import commit, today
from sections.scaffolding import COPYING

ROOT = Path(__file__).resolve().parents[1]
CUVEC_NEW = ROOT / "target/release/cuvec-new"
PACKAGE = "mypkg"


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
        COPYING: f"cp -r {tree} {out}",
        "`cuvec-new --no-git`": f"{CUVEC_NEW} {PACKAGE} --output {out} --no-git --quiet",
        "`cuvec-new`, with a git repository and a commit": f"{CUVEC_NEW} {PACKAGE} --output {out} --quiet",
        "`maturin new`": f"maturin new --bindings pyo3 {out}",
        "`uv init --lib`": f"uv init --lib --name {PACKAGE} {out}",
        "`scikit-build init`": f"scikit-build init --backend pybind11 {out}",
        "cargo-generate": f"cargo-generate generate --path {exported} --name {PACKAGE} --destination {folder}/made"
        " --silent --vcs none --define description=x --define author=A --define email=a@b.c --define license=MIT"
        " --define ci=github --define docs=none --define python=3.11",
        "cookiecutter": f"cookiecutter --no-input --output-dir {folder}/made {folder}/cookiecutter",
        "copier": f"copier copy --quiet --defaults {folder}/copier {out}",
    }


def measure(folder: Path, commands: dict[str, str]) -> dict[str, tuple[float, float]]:
    """Mean and standard deviation in milliseconds."""
    results = folder / "results.json"
    clean = f"rm -rf {folder}/out {folder}/made && mkdir {folder}/made"
    options = ["--warmup", "3", "--min-runs", "20", "--style", "basic", "--export-json", results]
    # A generator looks for a git repository above it, and must find none.
    subprocess.run(["hyperfine", *options, "--prepare", clean, *commands.values()], check=True, cwd=folder)
    found = json.loads(results.read_text())["results"]
    return {name: (1e3 * one["mean"], 1e3 * one["stddev"]) for name, one in zip(commands, found, strict=True)}


def main() -> None:
    (figures,) = sys.argv[1:]
    with tempfile.TemporaryDirectory() as work:
        folder = Path(work)
        commands = prepare(folder)
        times = measure(folder, commands)
        files = sum(path.is_file() for path in (folder / "tree").rglob("*"))
    content = {
        "about": {
            "date": today(),
            "commit": commit(),
            "machine": f"{len(os.sched_getaffinity(0))} CPU cores, {platform.system()}",
        },
        "files": files,
        "milliseconds": times,
    }
    Path(figures).write_text(json.dumps(content, indent=1, ensure_ascii=False) + "\n", encoding="utf-8")


if __name__ == "__main__":
    main()
