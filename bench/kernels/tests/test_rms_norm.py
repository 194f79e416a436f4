import importlib

import ml_dtypes
import numpy as np
import pytest
from mypkg import cuvec, rms_norm

TOLERANCE = {"float32": 1e-5, "float16": 1e-2, "bfloat16": 1e-2}


def reference(x, weight, eps):
    x, weight = (np.asarray(it, "float64") for it in (x, weight))
    return x / np.sqrt((x * x).mean(-1, keepdims=True) + eps) * weight


@pytest.mark.parametrize("dtype", [np.dtype("float32"), np.dtype("float16"), np.dtype(ml_dtypes.bfloat16)], ids=str)
@pytest.mark.parametrize("shape", [(5,), (3, 33), (2, 3, 1025), (3, 4096), (2, 40_000), (0, 4)])
def test_rms_norm(shape, dtype):
    rng = np.random.default_rng(1)
    x, weight = rng.standard_normal(shape).astype(dtype), rng.standard_normal(shape[-1]).astype(dtype)
    y = rms_norm(cuvec.asarray(x), cuvec.asarray(weight), eps=0.1)
    assert (y.shape, y.dtype) == (shape, dtype)
    tolerance = TOLERANCE[str(dtype)]
    np.testing.assert_allclose(np.asarray(y, "float64"), reference(x, weight, 0.1), rtol=tolerance, atol=tolerance)


def test_gradients_equal_pytorchs():
    torch = pytest.importorskip("torch")
    operators = importlib.import_module("mypkg.torch")
    device = "cuda" if cuvec.device().kind == "cuda" else "cpu"
    x, weight, dy = (torch.randn(*shape, device=device) for shape in ((2, 3, 257), (257,), (2, 3, 257)))
    x.requires_grad_(), weight.requires_grad_()
    expected = torch.nn.functional.rms_norm(x, (257,), weight, 0.1)
    expected = torch.autograd.grad(expected, (x, weight), dy)
    found = torch.autograd.grad(operators.rms_norm(x, weight, eps=0.1), (x, weight), dy)
    torch.testing.assert_close(found, expected, rtol=1e-4, atol=1e-4)
