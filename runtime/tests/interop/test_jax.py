"""JAX: arrays in and out; they are immutable, so never written to."""

import jax
import jax.numpy as jnp
import numpy as np
import pytest
from package import axpy, cuvec, dot

DTYPES = ["float32", "float16", "int8", "int16", "int32", "uint8", "uint16", "uint32"]


@pytest.mark.parametrize("memory", ["managed", "pinned"])
@pytest.mark.parametrize("dtype", DTYPES)
def test_jax_shares_our_memory(dtype, memory):
    x = cuvec.ones((64, 64), dtype, memory)
    y = jnp.from_dlpack(x)
    assert (y.unsafe_buffer_pointer(), y.shape, y.dtype) == (x.ptr, x.shape, x.dtype)
    assert int(y.sum()) == 64 * 64


def test_jax_keeps_the_memory_alive():
    y = jnp.from_dlpack(cuvec.full(1000, 7))
    cuvec.zeros(1000)
    assert bool((y == 7).all())


def test_functions_read_jaxs_arrays():
    x, y = jnp.arange(1000, dtype="float32"), cuvec.ones(1000)
    axpy(2, x, y)
    np.testing.assert_array_equal(y, 2 * np.arange(1000) + 1)
    assert dot(x, x) == sum(i * i for i in range(1000))


def test_functions_do_not_write_to_jaxs_arrays():
    y = jnp.zeros(10, "float32")
    with pytest.raises(ValueError, match="read-only"):
        axpy(1, cuvec.ones(10), y)
    assert not y.any()


def test_calls_wait_for_jax():
    x, y = jnp.zeros(1 << 20, "float32"), cuvec.zeros(1 << 20)
    increment = jax.jit(lambda x: x + 1)
    for _ in range(20):
        x = increment(x)
        axpy(1, x, y)
    assert (y == 210).all()


def test_jaxs_arrays_are_copied_by_asarray():
    x = jnp.arange(6, dtype="int32").reshape(2, 3)
    y = cuvec.asarray(x)
    assert (type(y), y.dtype) == (cuvec.CuVec, np.int32)
    np.testing.assert_array_equal(y, [[0, 1, 2], [3, 4, 5]])
