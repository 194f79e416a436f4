"""An environment for Python that sees the packages of this one."""

from __future__ import annotations

import subprocess
import sys
import sysconfig
from pathlib import Path


def make(folder: Path) -> Path:
    """Makes it and returns its Python."""
    subprocess.run([sys.executable, "-m", "venv", "--system-site-packages", folder], check=True)
    (site,) = (folder / "lib").glob("python*/site-packages")
    # An environment made from an environment does not see the packages of the first.
    outer = [path for path in sys.path if path.endswith("site-packages")] + [sysconfig.get_path("purelib")]
    (site / "outer.pth").write_text("\n".join(outer) + "\n")
    return folder / "bin" / "python"
