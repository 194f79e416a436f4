"""Packages that `ci/gpu build` has made, on the machine with a GPU."""

from __future__ import annotations

import subprocess
import sys
import sysconfig
from pathlib import Path


def make(folder: Path) -> Path:
    """Makes an environment for Python that sees the packages of this one; returns its Python."""
    subprocess.run([sys.executable, "-m", "venv", "--system-site-packages", folder], check=True)
    (site,) = (folder / "lib").glob("python*/site-packages")
    # An environment made from an environment does not see the packages of the first.
    outer = [path for path in sys.path if path.endswith("site-packages")] + [sysconfig.get_path("purelib")]
    (site / "outer.pth").write_text("\n".join(outer) + "\n")
    return folder / "bin" / "python"


class Package:
    """A folder such as `cu`, with a wheel, and the sources in `gpupkg`. In `suite` there may be a wheel with the functions that the
    conformance tests call."""

    def __init__(self, folder: Path) -> None:
        self.folder = folder
        self.name = folder.name
        self.source = folder / "gpupkg"
        self.python = folder / "venv/bin/python"

    def install(self) -> None:
        """Makes an environment that sees the packages of this one, and installs the wheel without any network."""
        peers = sorted(self.folder.glob("../peers/*.whl"))
        for folder in {wheel.parent for wheel in self.folder.glob("**/gpupkg-*.whl")}:
            python = make(folder / "venv")
            pip = [python, "-m", "pip", "install", "--quiet", "--no-index", "--no-deps"]
            subprocess.run([*pip, "--force-reinstall", *sorted(folder.glob("*.whl")), *peers], check=True)


def packages_in(built: Path) -> list[Package]:
    """Those that `ci/gpu build` has made."""
    return [Package(folder) for folder in sorted(built.iterdir()) if (folder / "gpupkg").is_dir()]
