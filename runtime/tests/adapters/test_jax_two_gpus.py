"""JAX: arrays on the second of two GPUs, while the first is the default one."""

import importlib

import jax
import jax.numpy as jnp
import numpy as np
import pytest
from package import NAME, cuvec, smooth

functions = importlib.import_module(f"{NAME}.jax")
pytestmark = pytest.mark.gpu


@pytest.fixture(params=[False, True], ids=["eager", "jit"])
def how(request):
    """Make a function eager or compiled."""
    return jax.jit if request.param else lambda function: function


def on_second(numbers):
    return jax.device_put(jnp.asarray(numbers, "f4"), jax.devices()[1])


def test_functions_run_where_arrays_are(how):
    x, y = on_second(np.arange(1000)), on_second(np.ones(1000))
    found = how(lambda x, y: functions.axpy(2, x, y))(x, y)
    assert found.devices() == {jax.devices()[1]}
    np.testing.assert_array_equal(found, 2 * np.arange(1000) + 1)
    smoothed = how(functions.smooth)(x)
    assert smoothed.devices() == {jax.devices()[1]}
    np.testing.assert_array_equal(smoothed, smooth(np.arange(1000, dtype="f4")))
    assert cuvec.device().index == 0


def test_both_gpus_in_turn():
    for device in jax.devices()[:2] * 3:
        x = jax.device_put(jnp.arange(100, dtype="f4"), device)
        found = jax.jit(functions.dot)(x, x)
        assert found.devices() == {device}
        assert float(found) == float(np.arange(100.0) @ np.arange(100.0))
