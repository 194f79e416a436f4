"""Kernels written in Rust, on the CPU: what goes wrong in one is an exception. `ci/gpu` runs the same on a GPU."""

from __future__ import annotations

from developer import Developer
from recipe import follow
from shell import ROOT


def test_no_element_outside_of_an_array(extended: Developer) -> None:
    follow(extended.package, ROOT / "ci/kernels/gather.md")
    extended.types(f"{extended.activate} && python {ROOT}/ci/kernels/out_of_bounds.py mypkg")
