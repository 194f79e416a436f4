"""Somebody who works on a package as its README says."""

from __future__ import annotations

import os
from pathlib import Path

from environment import interpreter
from recipe import commands, section
from rustc import COMPILER
from shell import run


class Developer:
    """Typed the commands of the section "Develop" into a shell."""

    def __init__(self, package: Path) -> None:
        self.package = package
        self.activate = "source .venv/bin/activate"
        install = commands(section((package / "README.md").read_text(), "Develop"))
        assert "editable.rebuild=true" in install
        self.types(install)

    def types(self, script: str) -> str:
        path = f"{interpreter('3.11').parent}{os.pathsep}{os.environ['PATH']}"
        env = {"PATH": path, "KERNELS_RUSTC": COMPILER}
        return run("bash", "-euo", "pipefail", "-c", script, cwd=self.package, env=env)

    def python(self, code: str) -> str:
        return self.types(f"{self.activate} && cd / && python -c '{code}'")
