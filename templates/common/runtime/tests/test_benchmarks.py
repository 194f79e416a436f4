"""The benchmark script: a line for every size, with and without what draws the plot."""

import subprocess
import sys
from pathlib import Path

import pytest

SCRIPT = Path(__file__).parents[1] / "benchmarks" / "bench.py"
RUN = """
import runpy, sys
del sys.argv[0]
runpy.run_path(sys.argv[0], run_name="__main__")
"""
WITHOUT_MATPLOTLIB = f'import sys; sys.modules["matplotlib"] = None{RUN}'
# as much of matplotlib as is called, which leaves a file
MATPLOTLIB = """
import pathlib, unittest.mock
use = unittest.mock.Mock()
pyplot = unittest.mock.MagicMock()
figure, axes = unittest.mock.Mock(), unittest.mock.Mock()
pyplot.subplots.return_value = figure, axes
def savefig(file, **_):
    labels = [call.kwargs["label"] for call in axes.loglog.call_args_list]
    pathlib.Path(file).write_text(",".join(labels))
figure.savefig = savefig
"""


def run(folder, *command):
    small = ("--max-mib", "1", "--seconds", "0.001", "--plot", "plot.png")
    result = subprocess.run(
        [sys.executable, *command, *small],
        cwd=folder,
        capture_output=True,
        text=True,
        timeout=300,
        check=False,
    )
    assert result.returncode == 0, result.stderr
    return result


@pytest.mark.parametrize("dtype", ["float32", "float64"])
def test_table_without_matplotlib(tmp_path, dtype):
    result = run(tmp_path, "-c", WITHOUT_MATPLOTLIB, SCRIPT, "--dtype", dtype)
    head, columns, *rows = result.stdout.splitlines()
    assert dtype in head
    assert columns.split()[0] == "bytes"
    assert [row.split()[0] for row in rows] == ["4,096", "16,384", "65,536", "262,144", "1,048,576"]
    assert all(float(speed) >= 0 for row in rows for speed in row.split()[1:])
    assert result.stderr.splitlines() == [
        "no plot: matplotlib is not installed (pip install --group bench)"
    ]
    assert not list(tmp_path.iterdir())


def test_plot_with_matplotlib(tmp_path):
    (tmp_path / "matplotlib").mkdir()
    (tmp_path / "matplotlib" / "__init__.py").write_text(MATPLOTLIB)
    result = run(tmp_path, "-c", RUN, SCRIPT)
    assert result.stdout.splitlines()[-1] == "wrote plot.png"
    assert result.stderr == ""
    lines = (tmp_path / "plot.png").read_text().split(",")
    assert {"axpy", "axpy staged", "axpy NumPy", "dot", "copy"} < set(lines)
