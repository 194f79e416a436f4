"""Arrays that are written, or None, in PyTorch, JAX and Dask."""

import importlib

import numpy as np
import pytest
from errors import exactly
from package import NAME

X = np.array([0.5, 3.0, -1.0, 2.0])
Y, MASK = np.minimum(X, 1), X > 1
ROWS = np.arange(6, dtype="f4").reshape(2, 3)


def test_in_torch():
    torch = pytest.importorskip("torch", reason="PyTorch is not installed")
    operators = importlib.import_module(f"{NAME}.torch")
    x, y = torch.from_numpy(X), torch.from_numpy(Y)
    mask, total = torch.zeros(4, dtype=torch.bool), torch.ones(4, dtype=torch.float64)
    assert torch.equal(operators.clamp(x), y)
    assert mask._version == 0
    assert torch.equal(operators.clamp(x, mask, total=total), y)
    assert torch.equal(mask, torch.from_numpy(MASK))
    assert torch.equal(total, 1 + y)
    assert (mask._version, total._version) == (1, 1)
    rows, counts = torch.from_numpy(ROWS), torch.ones(2, dtype=torch.int64)
    operators.tally_rows(rows, None)
    operators.tally_rows(rows, None, counts=counts)
    assert counts.tolist() == [4, 4]
    with pytest.raises(RuntimeError, match="writes its arguments"):
        operators.clamp(x.clone().requires_grad_(), mask)


def test_operators_of_torch():
    torch = pytest.importorskip("torch", reason="PyTorch is not installed")
    importlib.import_module(f"{NAME}.torch")
    ops = getattr(torch.ops, NAME)
    schema = "clamp(Tensor x, Tensor(a!)? mask=None, *, Tensor(b!)? total=None, float limit=1.) -> Tensor"
    assert str(ops.clamp.default._schema) == f"{NAME}::{schema}"
    x = torch.from_numpy(X)
    mask, total = torch.zeros(4, dtype=torch.bool), torch.ones(4, dtype=torch.float64)
    for args, kwargs in [((x,), {}), ((x, mask), {}), ((x, None), {"total": total})]:
        torch.library.opcheck(ops.clamp.default, args, kwargs)
    torch.library.opcheck(ops.tally_rows.default, (torch.from_numpy(ROWS), torch.zeros(2)))


@pytest.mark.parametrize("compiled", [False, True])
def test_in_jax(compiled):
    jax = pytest.importorskip("jax", reason="JAX is not installed")
    with jax.enable_x64(True):
        functions = importlib.import_module(f"{NAME}.jax")
        run = jax.jit(functions.clamp) if compiled else functions.clamp
        np.testing.assert_array_equal(run(X), Y)
        mask, y = run(X, np.zeros(4, bool))
        np.testing.assert_array_equal(mask, MASK)
        np.testing.assert_array_equal(y, Y)
        total, y = run(X, total=np.ones(4))
        np.testing.assert_array_equal(total, 1 + Y)
        counts = functions.tally_rows(ROWS, None, counts=np.ones(2, "i8"))
        np.testing.assert_array_equal(counts, [4, 4])
        message = (
            "tally_rows makes no array without counts and sums, so that a program of JAX could "
            "drop the call"
        )
        with pytest.raises(ValueError, match=exactly(message)):
            functions.tally_rows(ROWS, None)


@pytest.mark.library("dask")
def test_in_dask():
    array = importlib.import_module("dask.array")
    gufuncs = importlib.import_module(f"{NAME}.dask")
    rows, counts = array.from_array(ROWS, chunks=(2, 3)), np.ones(2, "i8")
    found = gufuncs.tally_rows(rows, None, counts=counts)
    np.testing.assert_array_equal(found.compute(), [4, 4])
    sums, found = gufuncs.tally_rows(rows, np.zeros(2, "f4"), counts=counts)
    np.testing.assert_array_equal(sums.compute(), ROWS.sum(1))
    np.testing.assert_array_equal(found.compute(), [4, 4])
    with pytest.raises(ValueError, match=r"^tally_rows returns nothing in this call: give it what"):
        gufuncs.tally_rows(rows, None)
    reason = "it writes an array only if it is given one, use dask.delayed"
    with pytest.raises(AttributeError, match=reason):
        gufuncs.clamp  # noqa: B018
