"""The benchmark script of a package: a line for every size, with and without what draws the plot."""

import json
import re
from pathlib import Path

import pytest
from colors import contrast
from environment import Environment, groups
from shell import ROOT

pytestmark = pytest.mark.night

SMALL = ("--max-mib", "1", "--seconds", "0.001", "--plot", "plot.png")
RUN = """
import runpy, sys
del sys.argv[0]
runpy.run_path(sys.argv[0], run_name="__main__")
"""
WITHOUT_MATPLOTLIB = f'import sys; sys.modules["matplotlib"] = None{RUN}'
LOOKS = f"""{RUN}
import json
from matplotlib import colors, pyplot
(axes,) = pyplot.gcf().axes
lines = {{it.get_label(): [it.get_linestyle(), it.get_marker(), colors.to_hex(it.get_color())] for it in axes.lines}}
print(json.dumps([lines, axes.get_title(), axes.get_xlabel(), axes.get_ylabel()]))
"""


@pytest.mark.parametrize("dtype", ["float32", "float64"])
def test_table_without_matplotlib(package: Path, on_311: Environment, tmp_path: Path, dtype: str) -> None:
    script = package / "benchmarks" / "bench.py"
    output = on_311.python("-c", WITHOUT_MATPLOTLIB, script, "--dtype", dtype, *SMALL, cwd=tmp_path)
    head, columns, *rows, last = output.splitlines()
    assert dtype in head
    assert columns.split()[0] == "bytes"
    assert [row.split()[0] for row in rows] == ["4,096", "16,384", "65,536", "262,144", "1,048,576"]
    assert all(float(speed) >= 0 for row in rows for speed in row.split()[1:])
    assert last == "no plot: matplotlib is not installed (pip install --group bench)"
    assert not list(tmp_path.iterdir())


@pytest.mark.usefixtures("one_language")
def test_plot_with_matplotlib(package: Path, on_313: Environment, tmp_path: Path) -> None:
    on_313.install(*groups(package, "bench"))
    command = re.search(r"^python (benchmarks/\S+)$", (ROOT / "docs/how-to/profile.md").read_text(), re.MULTILINE)[1]
    *_, said, looks = on_313.python("-c", LOOKS, package / command, *SMALL, cwd=tmp_path).splitlines()
    assert said == "wrote plot.png"
    assert (tmp_path / "plot.png").read_bytes().startswith(b"\x89PNG")
    lines, title, *labels = json.loads(looks)
    assert {"axpy", "axpy staged", "axpy NumPy", "dot", "copy"} < set(lines)
    assert "Speed of axpy, dot in float32\n" in title
    assert all(re.search(r"\(.*\)$", label) for label in labels)
    assert len({(style, marker) for style, marker, _ in lines.values()}) == len(lines), "they differ in colors only"
    assert all(contrast(color[1:], "ffffff") >= 4.5 for *_, color in lines.values())


def test_any_function(package: Path, on_311: Environment, tmp_path: Path) -> None:
    script = package / "benchmarks" / "bench.py"
    (row,) = on_311.python(script, "dot", "--size", "...=1000", "--seconds", "0.001", cwd=tmp_path).splitlines()
    moved, _, time, _, speed, _, sizes = row.split()
    assert (moved, sizes) == ("8,008", "...=1000")
    assert abs(float(speed) * float(time) * 1e3 - 8008) < 0.1 * 8008 + 1e4 * float(time)
    assert "there is no function `nosuch`: axpy, dot" in on_311.python(script, "nosuch", cwd=tmp_path, ok=False)
