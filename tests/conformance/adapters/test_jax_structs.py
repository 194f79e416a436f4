"""JAX: structs by value, which are a part of a program."""

import importlib

import jax
import numpy as np
import pytest
from grids import FACTOR, GRID, kinds, mistakes, record
from jax.test_util import check_grads
from package import NAME, module

functions = importlib.import_module(f"{NAME}.jax")
handler = importlib.import_module(f"{NAME}.cuvec.jax.handler")
declarations = importlib.import_module(f"{NAME}.cuvec.declaration").declarations()


@pytest.fixture
def x():
    with jax.enable_x64(True):
        yield jax.numpy.arange(6, dtype="f8").reshape(2, 3)


@kinds
@pytest.mark.parametrize("jit", [False, True])
def test_results(grid, jit, x):
    def program(x):
        y = functions.stretch(x, grid)
        return y, functions.stretched(y, grid=grid)

    y, z = (jax.jit(program) if jit else program)(x)
    np.testing.assert_array_equal(y, FACTOR * x)
    np.testing.assert_array_equal(z, 2 * FACTOR * x)
    assert isinstance(module.stretch(x, grid), jax.Array)


def test_other_values_are_another_program(x):
    program = jax.jit(lambda x, size: functions.stretch(x, GRID | {"size": size}), static_argnums=1)
    for size in (5, 7):
        np.testing.assert_array_equal(program(x, size), FACTOR / 5 * size * x)


def test_derivatives_and_batches(x):
    check_grads(lambda x: functions.stretch(x, GRID), (x,), order=2, modes=["rev"])
    found = jax.vmap(lambda row: functions.stretch(row, GRID))(x)
    np.testing.assert_array_equal(found, FACTOR * x)


def test_what_a_program_says_of_a_call():
    call = handler.Call("stretch", {"grid": record()[()]}, (), 1)
    text = call.write(declarations["stretch"])
    assert handler.Call.read(text.encode()) == call
    assert text.startswith(f"stretch 1 in s{record().tobytes().hex()} out\n")


def test_members_that_a_program_calculates(x):
    message = "grid is a struct, whose members must be known when a program is traced"
    with pytest.raises(TypeError, match=message):
        jax.jit(lambda x: functions.stretch(x, GRID | {"size": x.sum()}))(x)
    with pytest.raises(TypeError, match=message):
        jax.jit(functions.stretch)(x, GRID)


@mistakes
def test_mistakes(grid, error, message, x):
    with pytest.raises(error, match=message):
        functions.stretch(x, grid)
