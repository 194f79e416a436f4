"""Programs of JAX as CUDA graphs: XLA captures the calls, and replays them without the function."""

import importlib

import jax
import jax.numpy as jnp
import numpy as np
import package
import pytest
from package import NAME, cuvec

functions = importlib.import_module(f"{NAME}.jax")
CALLS = 10  # XLA makes no graph of a few


def program_of(step):
    """Return a program of many steps, each on the result of the one before."""

    def program(x, *others):
        for _ in range(CALLS):
            x = step(x, *others)
        return x

    return jax.jit(program)


@pytest.mark.gpu
@pytest.mark.function("captured")
def test_calls_are_captured():
    program = program_of(functions.captured)
    found = [np.asarray(program(jnp.zeros(100)))[0] for _ in range(3)]
    assert found[-1] == CALLS  # a program's first run is none


@pytest.mark.gpu
@pytest.mark.function("captured")
def test_calls_that_read_calculated_numbers_are_not():
    program = program_of(lambda x, more: functions.captured(x, more=more))
    for _ in range(3):
        assert (np.asarray(program(jnp.zeros(100), jnp.float32(1))) == 0).all()


@pytest.mark.gpu
@pytest.mark.function("waiting")
def test_calls_are_not_captured_where_the_declaration_says_so():
    program = program_of(functions.waiting)
    for _ in range(3):
        assert (np.asarray(program(jnp.zeros(100))) == CALLS).all()


def test_replays_are_on_the_arrays_of_their_call():
    program = program_of(lambda x, y: functions.axpy(0.5, y, x))
    for run in range(5):
        x, y = jnp.full(1000, run, "f4"), jnp.full(1000, 2 * run, "f4")
        assert (np.asarray(program(x, y)) == run + CALLS * run).all()


def test_donated_arrays():
    step = jax.jit(
        lambda x, y: program_of(lambda y, x: functions.axpy(1, x, y))(y, x), donate_argnums=1
    )
    x, y = jnp.ones(1000), jnp.zeros(1000)
    for run in range(1, 4):
        y = step(x, y)
        assert (np.asarray(y) == CALLS * run).all()


@pytest.mark.parametrize("n", [1000, 300_000])
def test_calls_with_scratch(n):
    def step(x, y):
        return x * 0 + functions.dot(x, y) / n

    program = program_of(step)
    for run in range(1, 4):
        x, y = jnp.full(n, run, "f4"), jnp.ones(n, "f4")
        np.testing.assert_allclose(np.asarray(program(x, y)), run, rtol=1e-4)


def test_batches():
    batched = jax.vmap(functions.gemv)
    program = program_of(lambda x, a: batched(a, x))
    a = np.broadcast_to(np.eye(4, dtype="f4") / 2, (3, 4, 4)).copy()
    for run in range(3):
        x = np.arange(run, run + 12, dtype="f4").reshape(3, 4)
        found = np.asarray(program(x, a))
        for _ in range(CALLS):
            x = np.stack([package.gemv(*both) for both in zip(a, x, strict=True)])
        np.testing.assert_array_equal(found, x)


def test_programs_beside_each_other():
    one = program_of(lambda x, y: functions.axpy(1, y, x))
    other = program_of(lambda x, y: x * 0 + functions.dot(x, y) / 5000)
    x, y = jnp.zeros(5000), jnp.ones(5000)
    results = [(one(x, y), other(y, y)) for _ in range(20)]
    for first, second in results:
        assert (np.asarray(first) == CALLS).all()
        np.testing.assert_array_equal(np.asarray(second), 1)


@pytest.mark.gpu
def test_a_failure_of_a_kernel_is_raised_by_the_next_call():
    program = program_of(functions.gather)
    with jax.enable_x64(True):
        x = jnp.arange(10, dtype="f4")
        good, bad = jnp.zeros(10, "i8"), jnp.full(10, 12, "i8")
        for _ in range(3):
            program(x, good).block_until_ready()
        program(x, bad).block_until_ready()
        with pytest.raises(RuntimeError, match="12"):
            package.axpy(1, cuvec.zeros(4, "f4"), cuvec.zeros(4, "f4"))
        assert (np.asarray(program(x, good)) == 0).all()
