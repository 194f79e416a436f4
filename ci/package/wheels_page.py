"""docs/reference/wheels.md, which shows what the doctor says of wheels: tests that make them compare it, and write it with
SNAPSHOTS=overwrite."""

import fcntl
import os
import re
from pathlib import Path

from shell import ROOT

PAGE = ROOT / "docs/reference/wheels.md"
VARYING = re.compile(r"\d+\.\d MiB|\b(many)?linux\w*(\.manylinux\w*)*")  # with compilers and systems


def titles() -> list[str]:
    return re.findall(r"^### (.+)$", PAGE.read_text(), re.MULTILINE)


def compare(title: str, wheel: Path, said: str) -> None:
    """Compares the text under this title of the page with what the doctor has `said` of `wheel`."""
    said = said.replace(str(wheel), "WHEEL")
    with PAGE.open("r+") as page:
        fcntl.flock(page, fcntl.LOCK_EX)  # two tests at a time write it
        text = page.read()
        start = text.index("```text\n", text.index(f"\n### {title}\n")) + len("```text\n")
        end = text.index("```\n", start)
        if os.environ.get("SNAPSHOTS") == "overwrite":
            page.seek(0)
            page.truncate()
            page.write(text[:start] + said + text[end:])
            return
    shown = text[start:end]
    assert VARYING.sub("…", shown) == VARYING.sub("…", said), f"{PAGE}, {title}: SNAPSHOTS=overwrite writes it"
