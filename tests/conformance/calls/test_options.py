"""Arguments that are one of several texts, flags, and defaults that are infinite."""

import importlib
import inspect
import math

import numpy as np
import pytest
from errors import described, exactly
from package import NAME, activate, core, cuvec, module, reduce_rows

X = np.array([[-1.0, 0.5, 2.0], [3.0, -4.0, 1.0]])
RELU, SILU = np.maximum(X, 0), X / (1 + np.exp(-X))


def test_an_option_by_position_by_name_or_left_out():
    np.testing.assert_array_equal(activate(X), RELU)
    np.testing.assert_array_equal(activate(X, "relu"), RELU)
    np.testing.assert_allclose(activate(X, "silu"), SILU)
    np.testing.assert_allclose(activate(X, mode=np.str_("silu")), SILU)
    x = cuvec.asarray(X.astype("f4"))
    np.testing.assert_array_equal(reduce_rows(x, "sum"), x.sum(1))
    np.testing.assert_array_equal(reduce_rows(x, how="max"), x.max(1))


def test_another_text_is_told_the_choices():
    with pytest.raises(ValueError, match=exactly("mode must be 'relu' or 'silu', not 'gelu'")):
        activate(X, "gelu")
    for other in ("", "Relu", "relu\0", "\ud800"):
        with pytest.raises(ValueError, match=r"^mode must be 'relu' or 'silu', not "):
            activate(X, other)
    for other in (0, None, 1.5, b"relu", X, ["relu"]):
        message = f"mode must be 'relu' or 'silu', not {described(other)}"
        with pytest.raises(TypeError, match=exactly(message)):
            activate(X, other)


def test_an_option_without_a_default_must_be_given():
    message = "reduce_rows() missing required argument 'how'"
    with pytest.raises(TypeError, match=exactly(message)):
        reduce_rows(X.astype("f4"))


def test_a_flag_is_a_bool():
    x = X.astype("i4")
    for flag in (True, np.True_, 1):
        np.testing.assert_array_equal(reduce_rows(x, "sum", flag), -x.sum(1))
    np.testing.assert_array_equal(reduce_rows(x, "sum", negate=False), x.sum(1))
    for other in ("yes", 1.0, None, x):
        message = f"negate must be a bool, not {described(other)}"
        with pytest.raises(TypeError, match=exactly(message)):
            reduce_rows(x, "sum", other)


def test_a_default_of_infinity():
    np.testing.assert_array_equal(activate(X, limit=1), np.minimum(RELU, 1))
    assert activate(np.array([np.inf])) == np.inf


def test_signature_and_help():
    expected = "(x, mode='relu', *, limit=inf, out=None, stream=None)"
    signature = inspect.signature(activate)
    assert str(signature) == expected
    assert signature.parameters["limit"].default == math.inf
    assert "\nmode : {'relu', 'silu'}, default 'relu'\n" in activate.__doc__
    assert "\nlimit : T, default inf\n" in activate.__doc__
    assert "\nnegate : bool, default False\n" in reduce_rows.__doc__
    declared = core.signatures["activate"]
    assert "mode: {'relu', 'silu'} = 'relu', *, limit: T = inf)" in declared


def test_stub():
    stub = importlib.resources.files(module) / "cuvec" / "functions.pyi"
    text = stub.read_text(encoding="utf-8")
    assert "mode: Literal['relu', 'silu'] = 'relu', *, limit: SupportsFloat" in text
    assert "how: Literal['sum', 'max'], negate: bool = False, " in text


@pytest.mark.gpu
def test_on_a_stream(stream):
    x = cuvec.asarray(X)
    y = activate(x, "silu", limit=1, stream=stream)
    cuvec.dev_sync()
    np.testing.assert_allclose(y, np.minimum(SILU, 1))


@pytest.mark.library("torch")
def test_operators_of_pytorch():
    import torch

    operators = importlib.import_module(f"{NAME}.torch")
    x = torch.from_numpy(X)
    torch.testing.assert_close(operators.activate(x), torch.relu(x))
    torch.testing.assert_close(operators.activate(x, "silu"), torch.nn.functional.silu(x))
    torch.testing.assert_close(operators.activate(x, limit=1.0), torch.relu(x).clamp(max=1))
    with pytest.raises(ValueError, match=exactly("mode must be 'relu' or 'silu', not 'gelu'")):
        operators.activate(x, "gelu")
    operator = getattr(torch.ops, NAME).activate.default
    for args in (x,), (x, "silu"):
        torch.library.opcheck(operator, args)
    torch.testing.assert_close(operator(x, limit=None), torch.relu(x))
    torch.testing.assert_close(
        torch.vmap(operators.activate, (0, None))(x, "silu"), torch.nn.functional.silu(x)
    )


@pytest.mark.library("jax")
@pytest.mark.parametrize("compiled", [False, True])
def test_functions_of_jax(compiled):
    import jax
    import jax.numpy as jnp

    functions = importlib.import_module(f"{NAME}.jax")
    static = ("mode", "limit")
    run = jax.jit(functions.activate, static_argnames=static) if compiled else functions.activate
    with jax.enable_x64(True):
        x = jnp.asarray(X)
        np.testing.assert_array_equal(run(x), RELU)
        np.testing.assert_allclose(run(x, mode="silu"), SILU)
        np.testing.assert_array_equal(run(x, limit=1.0), np.minimum(RELU, 1))
        np.testing.assert_allclose(
            run(x, mode="silu", limit=jnp.asarray(1.0).item()), np.minimum(SILU, 1)
        )
        with pytest.raises(ValueError, match=r"^mode must be 'relu' or 'silu', not 'gelu'"):
            run(x, mode="gelu")


@pytest.mark.library("jax")
def test_an_option_beside_a_traced_number_in_jax():
    import jax
    import jax.numpy as jnp

    functions = importlib.import_module(f"{NAME}.jax")
    with jax.enable_x64(True):
        run = jax.jit(lambda x, limit: functions.activate(x, "silu", limit=limit))
        np.testing.assert_allclose(run(jnp.asarray(X), 1.0), np.minimum(SILU, 1))


@pytest.mark.library("dask")
def test_functions_of_dask():
    import dask.array

    gufuncs = importlib.import_module(f"{NAME}.dask")
    x = dask.array.from_array(X, chunks=(1, 3))
    np.testing.assert_allclose(gufuncs.activate(x, "silu").compute(), SILU)
    np.testing.assert_array_equal(gufuncs.activate(x, limit=1.0).compute(), np.minimum(RELU, 1))
