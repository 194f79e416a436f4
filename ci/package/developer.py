"""Somebody who works on a package as the documentation says."""

import os
from pathlib import Path

from environment import DEVELOPMENT, interpreter
from recipe import commands
from shell import ROOT, run


class Developer:
    """Typed the commands of docs/how-to/edit-loop.md into a shell. If not to the letter, with uv for pip, which is faster, and only the tests
    of one function, because all of them are run elsewhere."""

    def __init__(self, package: Path, *, to_the_letter: bool) -> None:
        self.package = package
        self.activate = "source .venv/bin/activate"
        install = commands((ROOT / "docs/how-to/edit-loop.md").read_text())
        assert "editable.rebuild=true" in install
        if not to_the_letter:
            install = install.replace("\npip install", "\nuv pip install --quiet")
        self.types(install, PYTEST_ADDOPTS="-k axpy")

    def types(self, script: str, **env: str) -> str:
        path = f"{interpreter('3.11').parent}{os.pathsep}{os.environ['PATH']}"
        env = {"PATH": path, **DEVELOPMENT, **env}
        return run("bash", "-euo", "pipefail", "-c", script, cwd=self.package, env=env)

    def python(self, code: str) -> str:
        return self.types(f"{self.activate} && cd / && python -c '{code}'")
