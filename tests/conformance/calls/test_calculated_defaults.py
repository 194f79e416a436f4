"""Defaults that are calculated of constants."""

import importlib
import inspect
import math

import numpy as np
import pytest
from package import NAME, module, wave

DEFAULTS = {
    "step": 1 / 3,
    "phase": -math.pi / 2,
    "top": 2 * math.e - 1,
    "diagonal": math.sqrt(2) ** 3,
    "small": -(10**-3),
    "weights": (0.5, -math.e),
    "count": 3072,
}
WANTED = [1 / 3, -math.pi / 2, 2 * math.e - 1, 0.5, -math.e, math.sqrt(2) ** 3, -(10**-3), 3072]


@pytest.mark.parametrize("dtype", ["f4", "f8"])
def test_they_are_numbers_as_python_calculates_them(dtype):
    y = wave(np.arange(8, dtype=dtype))
    np.testing.assert_array_equal(y, np.array(WANTED, dtype))


def test_an_argument_takes_the_place_of_its_default():
    assert wave(np.zeros(()), step=7) == 7
    assert wave(np.full((), 7.0), count=1) == 1


def test_signature_and_help_have_their_values():
    parameters = inspect.signature(wave).parameters
    assert {name: parameters[name].default for name in DEFAULTS} == DEFAULTS
    for name, value in DEFAULTS.items():
        assert f"\n{name} : " in wave.__doc__
        assert f", default {value}\n" in wave.__doc__


def test_stub():
    stub = importlib.resources.files(module) / "cuvec" / "functions.pyi"
    text = stub.read_text(encoding="utf-8")
    assert f"step: SupportsFloat | SupportsIndex = {1 / 3}, " in text
    assert f" = (0.5, {-math.e}), count: SupportsIndex = 3072, " in text


@pytest.mark.library("torch")
def test_in_torch():
    torch = importlib.import_module("torch")
    y = importlib.import_module(f"{NAME}.torch").wave(torch.arange(8.0, dtype=torch.float64))
    np.testing.assert_array_equal(y, WANTED)


@pytest.mark.library("jax")
def test_in_jax():
    with importlib.import_module("jax").enable_x64(True):
        y = importlib.import_module(f"{NAME}.jax").wave(np.arange(8.0))
    np.testing.assert_array_equal(y, WANTED)


@pytest.mark.library("dask")
def test_in_dask():
    x = importlib.import_module("dask.array").from_array(np.arange(8.0), chunks=8)
    y = importlib.import_module(f"{NAME}.dask").wave(x)
    np.testing.assert_array_equal(y.compute(), WANTED)
