"""The table of faults that were found names tests that there are."""

import re

from shell import ROOT

ROW = re.compile(r"^\| (?!fault \||---)(.*) \| (.*) \|$", re.MULTILINE)


def test_the_tests_of_faults_exist() -> None:
    rows = ROW.findall((ROOT / "ci/faults.md").read_text())
    assert len(rows) > 35
    missing = []
    for fault, tests in rows:
        for of_file in tests.split("; "):
            path, *names = re.findall(r"`([^`]+)`", of_file)
            text = (ROOT / path).read_text()
            missing += [(fault, path, name) for name in names if not re.search(rf"(def|fn) {name}\b", text)]
    assert missing == []
