"""Follows recipes in the form of "Add a kernel" in a package's README.

follow.py PACKAGE RECIPE.md…
"""

from __future__ import annotations

import sys
from pathlib import Path

sys.path.append(str(Path(__file__).resolve().parents[1] / "package"))
from recipe import follow

if __name__ == "__main__":
    follow(*map(Path, sys.argv[1:]))
