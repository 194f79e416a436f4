"""Arguments that are dtypes, in PyTorch, JAX and Dask."""

import importlib

import numpy as np
import pytest
from package import NAME, astype

X = np.array([[-1.5, 0.25, 2.0], [3.0, -4.0, 70000.0]], "f4")
WRONG = r"^dtype must be float32, float16 or int64, not .*float64$"


def test_in_torch():
    torch = pytest.importorskip("torch", reason="PyTorch is not installed")
    operators = importlib.import_module(f"{NAME}.torch")
    x = torch.from_numpy(X)
    for asked in (torch.int64, "int64", np.int64):
        y = operators.astype(x, dtype=asked)
        assert y.dtype == torch.int64
        assert torch.equal(y, x.to(torch.int64))
    assert operators.astype(x).dtype == torch.float16
    assert astype(x, dtype="float32").dtype == torch.float32  # of the caller's library
    for asked in (torch.float64, "float64"):
        with pytest.raises(TypeError, match=WRONG):
            operators.astype(x, dtype=asked)
    assert operators.full("int32", 2, 7).tolist() == [7, 7]
    assert operators.converted(x, dtype="float64").dtype == torch.float64
    with pytest.raises(TypeError, match=r"missing a required (keyword-only )?argument: 'dtype'"):
        operators.converted(x)


def test_a_gradient_in_torch():
    torch = pytest.importorskip("torch", reason="PyTorch is not installed")
    operators = importlib.import_module(f"{NAME}.torch")
    x = torch.from_numpy(X).requires_grad_()
    for dtype in (torch.float32, torch.float64):
        y = operators.converted(x, dtype=dtype)
        weights = torch.arange(6, dtype=dtype).reshape(2, 3)
        (gradient,) = torch.autograd.grad(y, x, weights)
        assert gradient.dtype == torch.float32
        assert torch.equal(gradient, weights.float())


def test_an_operator_of_torch():
    torch = pytest.importorskip("torch", reason="PyTorch is not installed")
    importlib.import_module(f"{NAME}.torch")
    operator = getattr(torch.ops, NAME).astype.default
    schema = f"{NAME}::astype(Tensor x, *, ScalarType? dtype=None) -> Tensor"
    assert str(operator._schema) == schema
    for dtype in (None, torch.int64):
        torch.library.opcheck(operator, (torch.from_numpy(X),), {"dtype": dtype})


def test_in_jax():
    jax = pytest.importorskip("jax", reason="JAX is not installed")
    functions = importlib.import_module(f"{NAME}.jax")
    x = jax.numpy.asarray(X)
    for asked in ("float32", jax.numpy.float32, np.dtype("float32")):
        y = jax.jit(functions.astype, static_argnames="dtype")(x, dtype=asked)
        assert y.dtype == np.float32
        np.testing.assert_array_equal(y, X)
    assert functions.astype(x).dtype == np.float16
    assert jax.vmap(functions.astype)(x).dtype == np.float16
    with pytest.raises(TypeError, match=WRONG):
        functions.astype(x, dtype="float64")
    with jax.enable_x64(True):
        assert functions.full("complex64").dtype == np.complex64
        for dtype in ("float32", "float64"):
            y, back = jax.vjp(lambda x: functions.converted(x, dtype=dtype), x)  # noqa: B023
            assert y.dtype == dtype
            (gradient,) = back(jax.numpy.full(x.shape, 3, dtype))
            np.testing.assert_array_equal(gradient, np.full(x.shape, 3, "f4"))
    with pytest.raises(TypeError, match=r"missing a required .*: 'dtype'"):
        functions.converted(x)


@pytest.mark.library("dask")
def test_in_dask():
    array = importlib.import_module("dask.array")
    gufuncs = importlib.import_module(f"{NAME}.cuvec.dask")
    y = gufuncs.astype(array.from_array(X, chunks=(1, 3)), dtype=np.int64)
    assert y.dtype == np.int64
    np.testing.assert_array_equal(y.compute(), X.astype("int64"))
    assert gufuncs.converted(array.from_array(X), dtype="float64").compute().dtype == np.float64
    with pytest.raises(TypeError, match=WRONG):
        gufuncs.astype(array.from_array(X), dtype="float64")
