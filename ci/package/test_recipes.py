"""The functions of bench/kernels, in a package in their language: NumPy's results, on the CPU; and an error for an element outside of
an array."""

import shutil
from pathlib import Path

import pytest
from environment import Environment, groups
from generator import scaffold
from shell import ROOT

pytestmark = pytest.mark.night


def test_recipes(kernels: str, tmp_path: Path) -> None:
    package = scaffold(tmp_path / "mypkg", kernels=kernels)
    shutil.rmtree(package / "src")
    recipes = ROOT / "bench/kernels"
    shutil.copytree(recipes / kernels, package / "kernels", dirs_exist_ok=True)
    shutil.copytree(recipes / "tests", package / "tests", dirs_exist_ok=True)
    if kernels == "rust":
        for file in (ROOT / "ci/kernels").glob("gather*.rs"):
            shutil.copy(file, package / "kernels")
    environment = Environment(tmp_path / "python-3.13", "3.13", "numpy", "ml-dtypes", *groups(package, "build", "test"))
    environment.install_package(package, CUDA="OFF")
    counted = environment.pytest(package, tests=["tests"])
    assert set(counted) <= {"passed", "skipped"}
    assert counted["passed"] > 150
    if kernels == "rust":  # `ci/gpu` runs the same on a GPU
        environment.python(ROOT / "ci/kernels/out_of_bounds.py", "mypkg", cwd=tmp_path)
