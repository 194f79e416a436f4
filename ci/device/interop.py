"""Which ways to share memory with other libraries were seen to work: the tests of test_shared_memory.py that passed."""

from __future__ import annotations

import re
from pathlib import Path
from xml.etree import ElementTree

SAYS = {
    "test_they_use_our_memory": ("ours → theirs", "no copy"),
    "test_functions_use_their_memory": ("theirs → our functions", "no copy"),
    "test_asarray_copies_their_memory": ("theirs → `cuvec.asarray`", "a copy"),
}


def rows(junit: Path) -> list[list[str]]:
    """Direction, way and whether memory is shared, for each passed test in a report of pytest."""
    found = []
    for case in ElementTree.parse(junit).getroot().iter("testcase"):
        test, _, way = case.get("name", "").partition("[")
        if test in SAYS and case.find("failure") is None and case.find("error") is None:
            direction, copied = SAYS[test]
            found.append([direction, f"`{re.sub(r']$', '', way)}`", copied])
    return [["direction", "way", "seen by the addresses"], *found]
