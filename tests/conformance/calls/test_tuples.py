"""Arguments that are a few numbers."""

import importlib
import inspect

import numpy as np
import pytest
from errors import exactly
from package import NAME, core, cuvec, module, polynomial, strided_sums
from signatures import as_inspected

X = np.arange(12.0).reshape(3, 4)
A = [0.5, 1, *[0] * 9, 2]


def expected(stride=(1, 1), weights=(1, 0.5, 0)):
    y = np.zeros_like(X)
    for i in range(3):
        for j in range(4):
            for k, weight in enumerate(weights):
                row, column = i * stride[0], j * stride[1] + k
                if row < 3 and column < 4:
                    y[i, j] += weight * X[row, column]
    return y


@pytest.mark.parametrize("kind", [tuple, list, np.array])
@pytest.mark.parametrize("dtype", ["f4", "f8"])
def test_tuples_lists_and_arrays(kind, dtype):
    x = X.astype(dtype)
    np.testing.assert_array_equal(strided_sums(x), expected())
    np.testing.assert_array_equal(strided_sums(x, kind([2, 1])), expected((2, 1)))
    weights = kind([0.25, 1.0, 2.0])
    np.testing.assert_array_equal(strided_sums(x, weights=weights), expected(weights=weights))
    found = strided_sums(cuvec.asarray(x), stride=kind([1, 3]), weights=weights)
    np.testing.assert_array_equal(found, expected((1, 3), weights))


@pytest.mark.parametrize("size", [1, 5, 1000])
def test_twelve_numbers_in_an_element_wise_body(size):
    x = np.linspace(-1, 1, size, dtype="f4")
    wanted = 0.5 + x + 2 * x**11
    np.testing.assert_allclose(polynomial(x, A), wanted, rtol=1e-5, atol=1e-6)
    odd = polynomial(x, np.array(A, "f4"), (True,))
    np.testing.assert_allclose(odd, wanted - 0.5, rtol=1e-5, atol=1e-6)


def test_what_is_no_such_tuple_is_refused():
    cases = [
        (ValueError, (1,), "stride must have 2 items, not 1"),
        (ValueError, np.ones(3, int), "stride must have 2 items, not 3"),
        (TypeError, 1, "stride must be a tuple of 2 integers, not int"),
        (TypeError, None, "stride must be a tuple of 2 integers, not NoneType"),
        (TypeError, "11", "stride must be a tuple of 2 integers, not str"),
        (TypeError, {1, 2}, "stride must be a tuple of 2 integers, not set"),
        (TypeError, {0: 1, 1: 2}, "stride must be a tuple of 2 integers, not dict"),
        (TypeError, (1, 1.5), "stride[1] must be an integer, not float"),
        (
            TypeError,
            np.ones((2, 1), int),
            "stride must be a tuple of 2 integers, not an array of shape (2, 1)",
        ),
        (
            TypeError,
            (1, np.ones(1, int)),
            "stride[1] must be an integer, not an array of shape (1,)",
        ),
        (TypeError, (1, np.array(1.0)), "stride[1] must be an integer, not an array of float64"),
        (OverflowError, (1 << 63, 1), f"stride[0] = {1 << 63} does not fit into int64"),
    ]
    for error, stride, message in cases:
        with pytest.raises(error, match=exactly(message)):
            strided_sums(X, stride)
    with pytest.raises(
        OverflowError, match=exactly("weights[2] = 1e+39 does not fit into float32")
    ):
        strided_sums(X.astype("f4"), weights=(0, 0, 1e39))
    with pytest.raises(TypeError, match=exactly("odd[0] must be a bool, not str")):
        polynomial(np.ones(1, "f4"), A, ["yes"])


def test_signature_and_help():
    signature = inspect.signature(strided_sums)
    wanted = "(x, stride=(1, 1), *, weights=(1, 0.5, 0), out=None, stream=None)"
    assert str(signature) == wanted
    assert inspect.signature(polynomial).parameters["odd"].default == as_inspected((False,))
    assert "\nstride : tuple of 2 int64, default (1, 1)\n" in strided_sums.__doc__
    assert (
        "stride: int64[2] = (1, 1), *, weights: T[3] = (1, 0.5, 0))"
        in core.signatures["strided_sums"]
    )


def test_stub():
    stub = importlib.resources.files(module) / "cuvec" / "functions.pyi"
    text = stub.read_text(encoding="utf-8")
    assert "stride: Iterable[SupportsIndex] = (1, 1), *, weights: Iterable[SupportsFloat" in text


@pytest.mark.gpu
def test_on_a_stream(stream):
    y = strided_sums(cuvec.asarray(X), (2, 1), stream=stream)
    cuvec.dev_sync()
    np.testing.assert_array_equal(y, expected((2, 1)))


@pytest.mark.library("torch")
def test_operators_of_pytorch():
    import torch

    operators = importlib.import_module(f"{NAME}.torch")
    x = torch.from_numpy(X)
    np.testing.assert_array_equal(operators.strided_sums(x), expected())
    np.testing.assert_array_equal(operators.strided_sums(x, [2, 1]), expected((2, 1)))
    torch.library.opcheck(getattr(torch.ops, NAME).strided_sums.default, (x, [2, 1]))
    batch = torch.vmap(operators.strided_sums, (0, None))(torch.stack([x, x]), (2, 1))
    np.testing.assert_array_equal(batch, [expected((2, 1))] * 2)


@pytest.mark.library("jax")
@pytest.mark.parametrize("compiled", [False, True])
def test_functions_of_jax(compiled):
    import jax
    import jax.numpy as jnp

    function = importlib.import_module(f"{NAME}.jax").strided_sums
    run = jax.jit(function, static_argnames=("stride", "weights")) if compiled else function
    with jax.enable_x64(True):
        x = jnp.asarray(X)
        np.testing.assert_array_equal(run(x), expected())
        np.testing.assert_array_equal(run(x, stride=(2, 1)), expected((2, 1)))
        np.testing.assert_array_equal(run(x, weights=(0.5, 1, 2)), expected(weights=(0.5, 1, 2)))


@pytest.mark.library("dask")
def test_functions_of_dask():
    import dask.array

    function = importlib.import_module(f"{NAME}.dask").strided_sums
    x = dask.array.from_array(X, chunks=(3, 4))
    np.testing.assert_array_equal(function(x, (2, 1)).compute(), expected((2, 1)))
