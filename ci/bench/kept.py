"""The figures of docs/frameworks.json: of each subject what its first process has measured, what its second one has, and so on."""

from __future__ import annotations

import json
from itertools import zip_longest
from pathlib import Path


def subjects(figures: dict) -> set[str]:
    """Whom they are of."""
    return {record[0] for records in figures["processes"] for record in records}


def of_others(file: Path, about: dict[str, str], measured_now: list[str]) -> dict:
    """What a file has of other subjects, if that is of the same wheels, GPU and versions; ratios are taken within processes."""
    figures = json.loads(file.read_text()) if file.exists() else {"about": {}}
    if any(figures["about"].get(what) != value for what, value in about.items() if what != "date"):
        return {"packages": [], "kinds": {}, "processes": []}
    others = [[record for record in records if record[0] not in measured_now] for records in figures["processes"]]
    return {
        "packages": [name for name in figures["packages"] if name not in measured_now],
        "kinds": {name: kind for name, kind in figures["kinds"].items() if name not in measured_now},
        "processes": others,
    }


def joined(figures: dict, others: dict) -> dict:
    """Both, packages in the order of their names and before all else."""
    packages = sorted([*figures["packages"], *others["packages"]])
    kinds = {**others["kinds"], **figures["kinds"]}
    names = [*packages, *(name for name in kinds if name not in packages)]
    processes = zip_longest(figures["processes"], others["processes"], fillvalue=[])
    return {
        "about": figures["about"],
        "packages": packages,
        "kinds": {name: kinds[name] for name in names},
        "processes": [[*ours, *theirs] for ours, theirs in processes],
    }
