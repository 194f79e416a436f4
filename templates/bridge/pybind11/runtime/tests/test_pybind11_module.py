"""The module that pybind11 makes."""

import importlib
import sys

import numpy as np
import pytest
from package import core

SIGNATURES = {
    "axpy": "x: object, y: object, *, stream: object = None) -> None",
    "dot": "dot(x: object, y: object, *, stream: object = None) -> float",
    "assign": "assign(x: object, y: object, *, stream: object = None) -> None",
    "address": "address(x: object) -> int",
    "device": "device() -> tuple[str, int | None, str, str]",
    "memory_stats": "memory_stats() -> tuple[int, int]",
}


@pytest.mark.parametrize("name", SIGNATURES)
def test_docstrings_begin_with_the_signature(name):
    signature, _, text = getattr(core, name).__doc__.partition("\n\n")
    assert signature.endswith(SIGNATURES[name])
    assert text.strip()


def test_a_second_import_gives_the_same_module(monkeypatch):
    x = core.Buffer((3,), "<f4", "managed", True)
    monkeypatch.delitem(sys.modules, core.__name__)
    again = importlib.import_module(core.__name__)
    assert again.Buffer is core.Buffer
    assert again.dot(x, np.ones(3, "float32")) == 0
