"""Measures an installed example compared with what people use today, and writes the table of its README.

bench/examples NAME [--size N] [--seconds 1] [--device cuda] [--output FOLDER]: figures go to benchmarks/cpu.json or
cuda.json of the example, or of the folder. Libraries that are not installed are left out.
"""

from __future__ import annotations

import argparse
import json
import os
import sys
from importlib import import_module
from pathlib import Path

import tables
from processor import processor
from subject import Figure, Subject
from tqdm import tqdm

import machine
from clock import repeats_for, times
from gallery import EXAMPLES, FOLDER

BATCHES = 7
LIBRARIES = (
    *("numpy", "scipy", "scikit-image", "numba", "numba-cuda", "torch", "cupy-cuda13x", "cuvec", "numcu"),
    *("pybind11", "distributed"),
)


def main() -> None:
    options = parse_arguments()
    os.environ["CUVEC_DEVICE"] = options.device
    example = FOLDER / options.name
    sys.path.insert(0, str(example / "benchmarks"))
    figures = []
    with tqdm(import_module("subjects").subjects(Subject, options.size), unit="figure", disable=None) as bar:
        for subject in bar:
            figures.append(measured(subject, options.seconds))
            bar.write(f"{subject.work:28} {subject.who:36} {figures[-1]}")
    told = {"processor": processor(options.device), "date": machine.today(), "versions": machine.installed(LIBRARIES)}
    told["figures"] = [figure._asdict() for figure in figures]
    folder = options.output or example / "benchmarks"
    (folder / f"{options.device}.json").write_text(json.dumps(told, indent=1, ensure_ascii=False) + "\n", "utf-8")
    if not options.output:
        tables.write(example)


def measured(subject: Subject, duration: float) -> Figure:
    repeats = repeats_for(duration / BATCHES, subject.call)
    taken = times(subject.call, BATCHES, repeats).median
    return Figure(subject.work, subject.who, taken, subject.amount, subject.unit)


def parse_arguments() -> argparse.Namespace:
    parser = argparse.ArgumentParser(prog="bench/examples", description=(__doc__ or "").splitlines()[0])
    parser.add_argument("name", choices=[example.name for example in EXAMPLES])
    parser.add_argument("--size", type=int, metavar="N", help="instead of those that the example chooses")
    parser.add_argument("--seconds", type=float, default=1, metavar="S", help="for each figure, %(default)s")
    parser.add_argument("--device", choices=["cpu", "cuda"], default="cpu")
    parser.add_argument("--output", type=Path, metavar="FOLDER", help="for the figures alone")
    options = parser.parse_args()
    if options.size is not None and options.size < 16:
        parser.error("--size must be 16 or more")
    if options.output and not options.output.is_dir():
        parser.error(f"--output: there is no folder `{options.output}`")
    return options


if __name__ == "__main__":
    main()
