import importlib

import ml_dtypes
import numpy as np
import pytest
from mypkg import cross_entropy, cross_entropy_bwd, cuvec


@pytest.mark.parametrize("dtype", [np.dtype("float32"), np.dtype("float16"), np.dtype(ml_dtypes.bfloat16)], ids=str)
@pytest.mark.parametrize("shape", [(1,), (3, 33), (2, 3, 1025), (3, 4096), (2, 40_000), (0, 4)])
def test_cross_entropy(shape, dtype):
    rng = np.random.default_rng(1)
    x, target = (4 * rng.standard_normal(shape)).astype(dtype), rng.integers(0, shape[-1], shape[:-1])
    power = np.exp(x.astype("float64"))
    lse = np.log(power.sum(-1))
    expected = lse - np.take_along_axis(x.astype("float64"), target[..., None], -1)[..., 0]
    x, target = cuvec.asarray(x), cuvec.asarray(target)
    np.testing.assert_allclose(cross_entropy(x, target), expected, rtol=1e-5, atol=1e-5)
    dloss = rng.standard_normal(shape[:-1]).astype("float32")
    gradient = power / np.exp(lse)[..., None] - (np.arange(shape[-1]) == np.asarray(target)[..., None])
    dx = cross_entropy_bwd(cuvec.asarray(dloss), x, target, cuvec.asarray(lse.astype("float32")))
    assert dx.dtype == dtype
    tolerance = 1e-2 if dtype != "float32" else 1e-5
    np.testing.assert_allclose(dx.astype("float64"), dloss[..., None] * gradient, rtol=tolerance, atol=1e-5)


@pytest.mark.parametrize("target", [-1, 3])
def test_classes_that_there_are_not(target):
    with pytest.raises(RuntimeError, match="no such class"):
        cross_entropy(cuvec.ones((2, 3), "float32"), np.array([0, target]))


def test_gradients_equal_pytorchs():
    torch = pytest.importorskip("torch")
    operators = importlib.import_module("mypkg.torch")
    device = "cuda" if cuvec.device().kind == "cuda" else "cpu"
    x, target = torch.randn(5, 257, device=device, requires_grad=True), torch.randint(257, (5,), device=device)
    (expected,) = torch.autograd.grad(torch.nn.functional.cross_entropy(x, target), x)
    (found,) = torch.autograd.grad(operators.cross_entropy(x, target).mean(), x)
    torch.testing.assert_close(found, expected, rtol=1e-4, atol=1e-6)
