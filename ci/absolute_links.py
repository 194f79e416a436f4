"""Makes the links and pictures of README.md absolute, as PyPI and crates.io need them.

`python ci/absolute_links.py https://github.com/OWNER/NAME COMMIT` writes README.md anew. The sources have no address: a release is told
its own by GitHub.
"""

from __future__ import annotations

import re
import sys
from pathlib import Path

RELATIVE = re.compile(r"\]\((?![a-z]+:|#)([^)\s]+)\)")


def absolute(text: str, repository: str, commit: str) -> str:
    def link(match: re.Match[str]) -> str:
        kind = "raw" if match[1].endswith((".png", ".svg")) else "blob"
        return f"]({repository}/{kind}/{commit}/{match[1]})"

    return RELATIVE.sub(link, text)


if __name__ == "__main__":
    readme = Path(__file__).resolve().parents[1] / "README.md"
    readme.write_text(absolute(readme.read_text(), *sys.argv[1:]))
