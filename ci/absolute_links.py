"""Makes the links and pictures of README.md absolute, as PyPI and crates.io need them, and lets the README of a package link the documentation.

`python ci/absolute_links.py https://github.com/OWNER/NAME COMMIT` writes both anew. The sources have no address: a release is told
its own by GitHub.
"""

import re
import sys
from pathlib import Path

DOCS = "`docs/` in its repository"  # in the README of a package
RELATIVE = re.compile(r"\]\((?![a-z]+:|#)([^)\s]+)\)")


def absolute(text: str, repository: str, commit: str) -> str:
    def link(match: re.Match[str]) -> str:
        kind = "raw" if match[1].endswith((".png", ".svg")) else "blob"
        return f"]({repository}/{kind}/{commit}/{match[1]})"

    return RELATIVE.sub(link, text)


if __name__ == "__main__":
    root = Path(__file__).resolve().parents[1]
    readme, of_a_package = root / "README.md", root / "templates/common/README.md.hbs"
    readme.write_text(absolute(readme.read_text(), *sys.argv[1:]))
    before, after = of_a_package.read_text().split(DOCS)
    of_a_package.write_text(before + absolute("[docs/](docs/index.md)", *sys.argv[1:]) + after)
