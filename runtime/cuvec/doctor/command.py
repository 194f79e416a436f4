"""`python -m mypkg.doctor`, and what the doctor of builds, in the backend, runs of it."""

import argparse
import os
import sys
from pathlib import Path

from . import PACKAGE, driver, module, wheel
from .images import CORE, Image, asked_for, functions, images, needs, of_all
from .machine import Finding, Machine, in_json, memory_and_disk


def of_package(package: str, machine: Machine) -> list[Finding]:
    """Look at the installed package and at what it needs to run."""
    files = module.native(module.folders_of(package))
    installed = module.distribution_of(package)
    findings = [
        module.interpreter(package, installed),
        *module.look(package, files, installed),
    ]
    code = module.code_of(files)
    if images(code):
        findings += driver.look(machine, of_all(code), needs(code), functions(code))
    return [*findings, *memory_and_disk(machine)]


def of_machine(machine: Machine, kernels: str) -> list[Finding]:
    """Look at what a package with kernels of this kind needs that will be built here."""
    if kernels == "rust":
        of_driver = driver.look(machine, [Image(True, 75)], CORE)
    else:
        of_driver = driver.look(machine, asked_for(machine.environ.get("CUDAARCHS", "")))
    return [*of_driver, *memory_and_disk(machine)]


def main(arguments: list[str]) -> int:
    """Print what was found; return the exit code, which is 1 if something is a problem."""
    parser = argparse.ArgumentParser(
        prog=f"python -m {PACKAGE}.doctor",
        description="Say what keeps the package from working here.",
    )
    parser.add_argument("wheel", nargs="?", type=Path, help="look at a wheel instead")
    parser.add_argument("--json", action="store_true", help="print JSON")
    parser.add_argument(
        "--limit", type=int, default=wheel.LIMIT, help="MiB that PyPI takes of the wheel"
    )
    given = parser.parse_args(arguments)
    findings = (
        wheel.look(given.wheel, given.limit) if given.wheel else of_package(PACKAGE, Machine())
    )
    try:
        print(in_json(findings) if given.json else "\n".join(map(str, findings)), flush=True)
    except BrokenPipeError:  # `| head` has read enough; Python would say it again at its exit
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
    return int(any(finding.status == "problem" for finding in findings))
