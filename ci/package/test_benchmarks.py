"""The benchmark script of a package: a line for every size, with and without what draws the plot."""

import json
import re
from pathlib import Path

import pytest
from colors import contrast
from environment import Environment

pytestmark = pytest.mark.night

SMALL = ("--max-mib", "1", "--seconds", "0.001", "--plot", "plot.png")
RUN = """
import runpy, sys
del sys.argv[0]
runpy.run_path(sys.argv[0], run_name="__main__")
"""
WITHOUT_MATPLOTLIB = f'import sys; sys.modules["matplotlib"] = None{RUN}'
# as much of matplotlib as is called, which leaves a file
MATPLOTLIB = """
import json, pathlib, unittest.mock
use = unittest.mock.Mock()
pyplot = unittest.mock.MagicMock()
figure, axes = unittest.mock.Mock(), unittest.mock.Mock()
pyplot.subplots.return_value = figure, axes
def savefig(file, **_):
    lines = {call.kwargs.pop("label"): call.kwargs for call in axes.loglog.call_args_list}
    pathlib.Path(file).write_text(json.dumps(lines | {"axes": axes.set.call_args.kwargs}))
figure.savefig = savefig
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


def test_plot_with_matplotlib(package: Path, on_311: Environment, tmp_path: Path) -> None:
    (tmp_path / "matplotlib").mkdir()
    (tmp_path / "matplotlib" / "__init__.py").write_text(MATPLOTLIB)
    output = on_311.python("-c", RUN, package / "benchmarks" / "bench.py", *SMALL, cwd=tmp_path)
    assert output.splitlines()[-1] == "wrote plot.png"
    lines = json.loads((tmp_path / "plot.png").read_text())
    axes = lines.pop("axes")
    assert {"axpy", "axpy staged", "axpy NumPy", "dot", "copy"} < set(lines)
    assert "Speed of axpy, dot in float32\n" in axes["title"]
    assert re.search(r"\(.*\)$", axes["xlabel"])
    assert re.search(r"\(.*\)$", axes["ylabel"])
    without_color = {(look["linestyle"], look["marker"]) for look in lines.values()}
    assert len(without_color) == len(lines)
    assert all(contrast(look["color"][1:], "ffffff") >= 4.5 for look in lines.values())


def test_any_function(package: Path, on_311: Environment, tmp_path: Path) -> None:
    script = package / "benchmarks" / "bench.py"
    (row,) = on_311.python(script, "dot", "--size", "...=1000", "--seconds", "0.001", cwd=tmp_path).splitlines()
    moved, _, time, _, speed, _, sizes = row.split()
    assert (moved, sizes) == ("8,008", "...=1000")
    assert abs(float(speed) * float(time) * 1e3 - 8008) < 0.1 * 8008 + 1e4 * float(time)
    assert "there is no function `nosuch`: axpy, dot" in on_311.python(script, "nosuch", cwd=tmp_path, ok=False)
