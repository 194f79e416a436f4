"""JAX: derivatives that functions declare."""

import importlib

import jax
import jax.numpy as jnp
import numpy as np
import pytest
from jax.test_util import check_grads
from package import NAME

functions = importlib.import_module(f"{NAME}.jax")
random = np.random.default_rng(7)


@pytest.fixture(autouse=True)
def float64():
    with jax.enable_x64(True):
        yield


def cube_2(x):
    return functions.cube(x, a=2)


def rms_norm(x, weight, eps=1e-6):
    return x * jax.lax.rsqrt((x * x).mean(-1, keepdims=True) + eps) * weight


@pytest.mark.parametrize("order", [1, 2])
def test_numbers_given_by_name_reach_the_derivative(order):
    x = jnp.asarray(random.standard_normal((3, 4)))
    check_grads(cube_2, (x,), order=order, modes=["rev"])
    np.testing.assert_allclose(jax.grad(lambda x: cube_2(x).sum())(x), 6 * x**2, rtol=1e-12)


def test_a_derivative_without_one_is_an_error():
    def derived(x, times):
        return jax.grad(lambda x: derived(x, times - 1).sum())(x) if times else cube_2(x)

    np.testing.assert_allclose(derived(jnp.ones(3), 2), 12 * np.ones(3))
    with pytest.raises(ValueError, match="cannot be differentiated"):
        derived(jnp.ones(3), 3)
    with pytest.raises(ValueError, match="cannot be differentiated"):
        jax.grad(lambda x: functions.smooth(x).sum())(jnp.ones(3))


def test_gradients_of_numbers_are_errors():
    x = jnp.ones(3)
    message = r"a of `cube` is a number, which has no gradient: pass jax.lax.stop_gradient\(a\)"
    with pytest.raises(ValueError, match=message):
        jax.grad(lambda a: functions.cube(x, a=a).sum())(2.0)
    with pytest.raises(ValueError, match=message):
        jax.jit(jax.grad(lambda x, a: functions.cube(x, a=a).sum(), (0, 1)))(x, 2.0)
    found = jax.grad(lambda x: functions.cube(x, a=jax.lax.stop_gradient(x.sum())).sum())(x)
    np.testing.assert_allclose(found, 9 * np.ones(3))
    found = jax.jit(jax.grad(lambda x, a: functions.cube(x, a=a).sum()))(x, 2.0)
    np.testing.assert_allclose(found, 6 * np.ones(3))


@pytest.mark.parametrize("compiled", [False, True])
def test_gradients_are_summed_over_the_dimensions_that_an_argument_lacks(compiled):
    x = jnp.asarray(random.standard_normal((2, 3, 4), "f4"))
    weight = jnp.asarray(random.standard_normal(4, "f4"))

    def loss(function):
        gradients = jax.grad(lambda x, w: (function(x, w, eps=0.5) ** 2).sum(), (0, 1))
        return (jax.jit(gradients) if compiled else gradients)(x, weight)

    for found, expected in zip(loss(functions.rms_norm), loss(rms_norm), strict=True):
        assert (found.shape, found.dtype) == (expected.shape, expected.dtype)
        np.testing.assert_allclose(found, expected, rtol=1e-4, atol=1e-5)


def affine(x, weight, bias=None):
    return x * weight + (0 if bias is None else bias)


def norm(x, weight):
    return functions.rms_norm(x, weight, eps=0.5)


def norm_of_jax(x, weight):
    return rms_norm(x, weight, 0.5)


def total(function):
    return lambda *arrays: (function(*arrays) ** 2).sum()


TRANSFORMS = {
    "grad": lambda f: jax.grad(total(f), (0, 1)),
    "jit of grad": lambda f: jax.jit(jax.grad(total(f), (0, 1))),
    "vmap of grad": lambda f: jax.vmap(jax.grad(total(f), (0, 1)), (0, None)),
    "grad of vmap": lambda f: jax.grad(total(jax.vmap(f, (0, None))), (0, 1)),
    "along another dimension": lambda f: jax.grad(total(jax.vmap(f, (1, None), 1)), (0, 1)),
    "jacrev": lambda f: jax.jacrev(f, (0, 1)),
    "checkpoint": lambda f: jax.grad(total(jax.checkpoint(f)), (0, 1)),
}


@pytest.mark.parametrize("shape", [(4,), (1, 4), (0, 4), (2, 1, 3, 4)])
@pytest.mark.parametrize("transform", TRANSFORMS)
@pytest.mark.parametrize(
    ("function", "of_jax"),
    [(norm, norm_of_jax), (functions.affine, affine)],
    ids=["norm", "affine"],
)
def test_a_derivative_may_sum_over_the_leading_dimensions(function, of_jax, transform, shape):
    x = jnp.asarray(random.standard_normal(shape), "f4")
    weight = jnp.asarray(random.standard_normal(4), "f4")
    least = 3 if "another" in transform else 2 if "vmap" in transform else 1
    if x.ndim < least:
        x = jnp.broadcast_to(x, (2, 3, *shape))
    found, expected = (TRANSFORMS[transform](it)(x, weight) for it in (function, of_jax))
    for one, other in zip(found, expected, strict=True):
        assert (one.shape, one.dtype) == (other.shape, other.dtype)
        np.testing.assert_allclose(one, other, rtol=1e-4, atol=1e-5)


@pytest.mark.parametrize("shape", [(4,), (3, 4), (2, 3, 4)])
def test_second_derivatives_of_arrays_of_other_ranks(shape):
    x, factor = random.standard_normal(shape), random.standard_normal(4)

    def product(function):
        return lambda x, y: function(x * y).sum()

    for arrays in ((x, factor), (factor, x)):
        found, expected = (
            jax.jacrev(jax.grad(product(it), (0, 1)), (0, 1))(*arrays)
            for it in (cube_2, lambda x: 2 * x**3)
        )
        jax.tree.map(lambda a, b: np.testing.assert_allclose(a, b, rtol=1e-9), found, expected)


def test_gradients_of_numbers():
    x = jnp.asarray(random.standard_normal(3))
    check_grads(functions.squares, (x,), order=1, modes=["rev"])
    np.testing.assert_array_equal(jax.grad(functions.squares)(x), 2 * x)


def test_traced_numbers_reach_the_derivative():
    gradient = jax.jit(lambda x, a: jax.grad(lambda x: functions.cube(x, a=a).sum())(x))
    np.testing.assert_allclose(gradient(jnp.ones(3), 2.0), 6 * np.ones(3))


def test_derivatives_of_batches():
    x = jnp.asarray(random.standard_normal((4, 3)))
    gradients = jax.vmap(jax.grad(lambda x: cube_2(x).sum()))(x)
    np.testing.assert_allclose(gradients, 6 * x**2, rtol=1e-12)


def test_integers_have_no_gradient():
    assert functions.cube(jnp.arange(3, dtype="i4")).tolist() == [0, 1, 8]
    with pytest.raises(TypeError, match="grad requires real- or complex-valued inputs"):
        jax.grad(lambda x: functions.cube(x).sum())(jnp.arange(3, dtype="i4"))


def test_what_is_saved_is_what_the_derivative_reads():
    x = jnp.asarray(random.standard_normal((2, 3, 4), "f4"))
    weight = jnp.ones(4, "f4")
    y = functions.rms_norm(x, weight, eps=0.5)
    assert (type(y), y.shape) == (type(x), x.shape)
    again, back = jax.vjp(lambda x: functions.rms_norm(x, weight, eps=0.5), x)
    np.testing.assert_array_equal(again, y)
    saved = [it for it in jax.tree_util.tree_leaves(back) if it.shape == x.shape[:-1]]
    assert len(saved) == 1
    np.testing.assert_allclose(saved[0], jax.lax.rsqrt((x * x).mean(-1) + 0.5), rtol=1e-6)
