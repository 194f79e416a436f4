"""Kernels written in Rust, on the CPU: what goes wrong in one is an exception. `ci/gpu` runs the same on a GPU."""

from __future__ import annotations

import pytest
from developer import Developer
from generator import Combination
from recipe import follow
from shell import ROOT


def test_no_element_outside_of_an_array(combination: Combination, extended: Developer) -> None:
    if combination != ("pyo3", "rust"):
        pytest.skip("the kernel is for one kind of package")
    follow(extended.package, ROOT / "ci/kernels/gather.md")
    extended.types(f"{extended.activate} && python {ROOT}/ci/kernels/out_of_bounds.py mypkg")
