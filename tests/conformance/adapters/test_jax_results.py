"""JAX: results whose sizes and forms only the declaration knows."""

import importlib
import re

import jax
import jax.numpy as jnp
import numpy as np
import package
import pytest
from package import NAME

functions = importlib.import_module(f"{NAME}.jax")


@pytest.mark.parametrize("how", [jax.jit, lambda it: it], ids=["jit", "eager"])
def test_dimensions_are_solved(how):
    indptr, x = jnp.arange(4), jnp.array([1.0, 2, 3])
    found = how(functions.spmv)(indptr, indptr[:-1], 2 * jnp.ones(3), x)
    np.testing.assert_array_equal(found, [2, 4, 6])
    message = "x has shape (2, 7), but 2*d cannot be 7"
    with pytest.raises(ValueError, match=re.escape(message)):
        how(functions.pair_sums)(jnp.ones((2, 7)))


def test_functions_that_find_sizes_are_left_out():
    message = (
        "`nonzero` finds the size of index when it runs, and arrays have sizes that are known before: "
        f"call {NAME}.nonzero"
    )
    with pytest.raises(AttributeError, match=re.escape(message)):
        functions.nonzero  # noqa: B018


def test_direct_calls_find_sizes():
    index = package.module.nonzero(jnp.array([1, 0, 2], "float32"))
    assert type(index) is package.cuvec.CuVec
    assert sorted(index) == [0, 2]


@pytest.mark.parametrize("how", [jax.jit, lambda it: it], ids=["jit", "eager"])
def test_results_have_names(how):
    x, weight = jnp.ones((2, 3)), jnp.ones(3)
    result = how(functions.rms_norm_bwd)(x, x, weight, jnp.ones(2))
    dx, dweight = result
    assert (result.dx is dx, result.dweight.shape) == (True, dweight.shape)
    assert type(result).__name__ == "rms_norm_bwd_result"


@pytest.mark.parametrize("how", [jax.jit, lambda it: it], ids=["jit", "eager"])
def test_results_have_the_dtype_of_the_real_part(how):
    found = how(functions.power)(jnp.array([3 + 4j]))
    assert (found.dtype, float(found[0])) == ("float32", 25)


@pytest.mark.function("quantize")
@pytest.mark.parametrize("how", [jax.jit, lambda it: it], ids=["jit", "eager"])
def test_arrays_of_floats_become_8_bits(how):
    x = jnp.linspace(-400, 400, 1000)
    q = how(functions.quantize)(x)
    assert q.dtype == jnp.float8_e4m3fn
    np.testing.assert_array_equal(q.astype("f4"), x.astype(q.dtype).astype("f4"))
