"""Arrays that may be None."""

import importlib
import inspect

import numpy as np
import pytest
from errors import exactly
from package import NAME, affine, core, cuvec, module, shift

X = np.arange(6.0).reshape(2, 3)
WEIGHT, BIAS = np.array([1.0, 2.0, 3.0]), np.array([10.0, 20.0, 30.0])
KINDS = {"numpy": np.array, "cuvec": cuvec.asarray}


@pytest.fixture(params=KINDS)
def made(request):
    return KINDS[request.param]


def test_an_array_or_none_or_nothing(made):
    x, weight, bias = made(X), made(WEIGHT), made(BIAS)
    np.testing.assert_array_equal(affine(x, weight), X * WEIGHT)
    np.testing.assert_array_equal(affine(x, weight, None), X * WEIGHT)
    np.testing.assert_array_equal(affine(x, weight, bias=None), X * WEIGHT)
    np.testing.assert_array_equal(affine(x, weight, bias), X * WEIGHT + BIAS)
    np.testing.assert_array_equal(affine(x, weight, bias=bias), X * WEIGHT + BIAS)


@pytest.mark.parametrize("size", [1, 7, 1000])
@pytest.mark.parametrize("start", [0, 1])
def test_elements_of_arrays_that_may_be_none(made, size, start):
    by, scale = made(np.arange(size + 1.0)), made(np.arange(size + 1.0) + 2)
    for given in (None, by), (None, scale), (by, None), (by, scale):
        y = made(np.ones(size))
        cut = [it if it is None else it[start : start + size] for it in given]
        shift(cut[0], y, scale=cut[1])
        expected = np.ones(size)
        if cut[0] is not None:
            expected += np.asarray(cut[0]) * (1 if cut[1] is None else np.asarray(cut[1]))
        np.testing.assert_array_equal(y, expected)
    y = made(np.ones(size))
    shift(None, y)
    np.testing.assert_array_equal(y, np.ones(size))


@pytest.mark.parametrize("given", [(), (None, None), ("x",), (None, "y")])
def test_all_arrays_may_be_none(made, given):
    arrays = [it and made(np.ones(4)) for it in given]
    expected = np.full(4, sum(it is not None for it in given), "float64")
    result = module.mixture(4, *arrays)
    assert type(result) is cuvec.CuVec
    np.testing.assert_array_equal(result, expected)


def test_one_that_is_given_decides_a_dtype_and_none_leaves_the_first(made):
    x = made(X.ravel())
    far = 1 << 40  # not an int32
    np.testing.assert_array_equal(module.positioned(x), X.ravel())
    np.testing.assert_array_equal(module.positioned(x, None, shift=3), X.ravel() + 3)
    for dtype in ("int32", "int64"):
        positions = made(np.arange(6, dtype=dtype))
        np.testing.assert_array_equal(
            module.positioned(x, positions, shift=1), X.ravel() + np.arange(6) + 1
        )
    np.testing.assert_array_equal(
        module.positioned(x, positions, shift=far), X.ravel() + np.arange(6) + far
    )
    for given in None, made(np.arange(6, dtype="int32")):
        with pytest.raises(OverflowError, match="int32"):
            module.positioned(x, given, shift=far)
    message = "positions has dtype int16, but must have int32 or int64"
    with pytest.raises(TypeError, match=exactly(message)):
        module.positioned(x, made(np.arange(6, dtype="int16")))


def test_one_without_a_default_must_be_given():
    with pytest.raises(TypeError, match=exactly("shift() missing required argument 'by'")):
        shift(y=np.ones(3))


def test_an_array_that_is_not_optional_cannot_be_none():
    with pytest.raises(TypeError, match="NoneType"):
        affine(X, None)


def test_one_that_is_given_is_checked_as_others_are():
    with pytest.raises(
        TypeError, match=exactly("x and bias must have the same dtype, not float64 and float32")
    ):
        affine(X, WEIGHT, BIAS.astype("f4"))
    with pytest.raises(
        ValueError, match=exactly("bias has shape (2,), but n is 3 in x of shape (2, 3)")
    ):
        affine(X, WEIGHT, np.ones(2))
    with pytest.raises(
        TypeError, match=exactly("bias has dtype int64, but must have float32 or float64")
    ):
        affine(X, WEIGHT, np.arange(3))
    y = np.ones(3)
    with pytest.raises(
        ValueError, match=exactly("by and y overlap in memory; pass a copy of one of them")
    ):
        shift(y[:], y, stream=None)


def test_an_empty_array_is_not_none(made):
    assert affine(made(np.ones((2, 0))), made(np.ones(0)), made(np.ones(0))).shape == (2, 0)


def test_one_that_is_given_is_broadcast(made):
    y = made(X)
    shift(made(BIAS), y, scale=made(WEIGHT))
    np.testing.assert_array_equal(y, X + BIAS * WEIGHT)
    looped = affine(made(X), made(np.stack([WEIGHT, 2 * WEIGHT]))[:, None])
    np.testing.assert_array_equal(looped, X * np.stack([WEIGHT, 2 * WEIGHT])[:, None])


def test_strided_arrays_are_copied_beside_one_that_is_none():
    wide = np.repeat(X, 2, axis=1)
    np.testing.assert_array_equal(affine(wide[:, ::2], WEIGHT), X * WEIGHT)
    np.testing.assert_array_equal(affine(X, WEIGHT, np.repeat(BIAS, 2)[::2]), X * WEIGHT + BIAS)


@pytest.mark.gpu
def test_on_a_stream(stream):
    x, weight, bias = map(cuvec.asarray, (X, WEIGHT, BIAS))
    without, with_bias = affine(x, weight, stream=stream), affine(x, weight, bias, stream=stream)
    cuvec.dev_sync()
    np.testing.assert_array_equal(without, X * WEIGHT)
    np.testing.assert_array_equal(with_bias, X * WEIGHT + BIAS)


def test_signature_and_help():
    assert str(inspect.signature(affine)) == "(x, weight, bias=None, *, out=None, stream=None)"
    assert str(inspect.signature(shift)) == "(by, y, *, scale=None, stream=None)"
    assert "\nbias : array of T, shape (n,), or None, default None\n" in affine.__doc__
    assert "\nby : array of T, shape (n,), or None\n" in shift.__doc__
    assert "bias: T(n)? = None" in core.signatures["affine"]


def test_stub():
    package = importlib.resources.files(module) / "cuvec" / "functions.pyi"
    text = package.read_text(encoding="utf-8")
    assert "def affine(x: _Array, weight: object, bias: object | None = None, *" in text
    assert "def shift(by: object | None, y: object, *, scale: object | None = None, " in text


@pytest.mark.library("torch")
def test_operators_of_pytorch():
    import torch

    operators = importlib.import_module(f"{NAME}.torch")
    x, weight, bias = map(torch.from_numpy, (X, WEIGHT, BIAS))
    torch.testing.assert_close(operators.affine(x, weight), x * weight)
    torch.testing.assert_close(operators.affine(x, weight, bias=bias), x * weight + bias)
    y = torch.ones(3, dtype=torch.float64)
    positions = torch.arange(6).reshape(2, 3)
    torch.testing.assert_close(operators.positioned(x, shift=1), x + 1)
    torch.testing.assert_close(operators.positioned(x, positions), x + positions)
    compiled = torch.compile(operators.positioned, backend="eager")
    torch.testing.assert_close(compiled(x, positions), x + positions)
    operators.shift(None, y)
    operators.shift(bias, y)
    operators.shift(bias, y, scale=weight)
    torch.testing.assert_close(y, 1 + bias + bias * weight)
    for args in (x, weight), (x, weight, bias):
        torch.library.opcheck(getattr(torch.ops, NAME).affine.default, args)
    torch.testing.assert_close(
        torch.vmap(operators.affine, (0, None, None))(x, weight, None), x * weight
    )
    over = torch.vmap(operators.affine, (0, None, 0))(x, weight, torch.stack([bias, bias]))
    torch.testing.assert_close(over, x * weight + bias)


@pytest.mark.library("torch")
def test_derivatives_in_pytorch():
    import torch

    operators = importlib.import_module(f"{NAME}.torch")
    x, weight, bias = (torch.from_numpy(it).requires_grad_() for it in (X, WEIGHT, BIAS))
    assert torch.autograd.gradcheck(operators.affine, (x, weight))
    assert torch.autograd.gradcheck(operators.affine, (x, weight, None))
    assert torch.autograd.gradcheck(operators.affine, (x, weight, bias))


@pytest.mark.library("jax")
@pytest.mark.parametrize("compiled", [False, True])
def test_functions_of_jax(compiled):
    import jax
    import jax.numpy as jnp
    from jax.test_util import check_grads

    with jax.enable_x64(True):
        functions = importlib.import_module(f"{NAME}.jax")
        run = jax.jit(functions.affine) if compiled else functions.affine
        x, weight, bias = map(jnp.asarray, (X, WEIGHT, BIAS))
        np.testing.assert_array_equal(run(x, weight), X * WEIGHT)
        np.testing.assert_array_equal(run(x, weight, None), X * WEIGHT)
        np.testing.assert_array_equal(run(x, weight, bias), X * WEIGHT + BIAS)
        check_grads(run, (x, weight), order=1, modes=["rev"])
        check_grads(run, (x, weight, bias), order=1, modes=["rev"])
        batch = jax.vmap(functions.affine, (0, None, None))
        np.testing.assert_array_equal(batch(x, weight, None), X * WEIGHT)
        run = jax.jit(functions.positioned) if compiled else functions.positioned
        positions = np.arange(6).reshape(2, 3)
        np.testing.assert_array_equal(run(x), X)
        np.testing.assert_array_equal(functions.positioned(x, shift=1), X + 1)
        for dtype in ("int32", "int64"):
            np.testing.assert_array_equal(run(x, jnp.asarray(positions, dtype)), X + positions)
        y = jnp.ones(3)
        np.testing.assert_array_equal(functions.shift(None, y), y)
        np.testing.assert_array_equal(functions.shift(bias, y, scale=weight), 1 + BIAS * WEIGHT)


@pytest.mark.library("dask")
def test_functions_of_dask():
    import dask.array

    gufuncs = importlib.import_module(f"{NAME}.dask")
    x = dask.array.from_array(X, chunks=(1, 3))
    np.testing.assert_array_equal(gufuncs.affine(x, WEIGHT).compute(), X * WEIGHT)
    np.testing.assert_array_equal(gufuncs.affine(x, WEIGHT, BIAS).compute(), X * WEIGHT + BIAS)
    positions = np.arange(6).reshape(2, 3)
    np.testing.assert_array_equal(gufuncs.positioned(x, shift=1).compute(), X + 1)
    np.testing.assert_array_equal(gufuncs.positioned(x, positions).compute(), X + positions)
    y = dask.array.ones(3)
    np.testing.assert_array_equal(gufuncs.shift(None, y, scale=None).compute(), np.ones(3))
    np.testing.assert_array_equal(gufuncs.shift(BIAS, y).compute(), 1 + BIAS)
