"""Follows the recipe "Add a kernel" of a package's README, and then others in its form.

follow.py PACKAGE [RECIPE.md…]
"""

from __future__ import annotations

import sys
from pathlib import Path

sys.path.append(str(Path(__file__).resolve().parents[1] / "package"))
from recipe import follow

if __name__ == "__main__":
    package, *recipes = map(Path, sys.argv[1:])
    follow(package)
    if recipes:
        follow(package, *recipes)
