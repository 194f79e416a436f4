import importlib

import ml_dtypes
import numpy as np
import pytest
from mypkg import cuvec, layer_norm


@pytest.mark.parametrize("dtype", [np.dtype("float32"), np.dtype("float16"), np.dtype(ml_dtypes.bfloat16)], ids=str)
@pytest.mark.parametrize("shape", [(5,), (3, 33), (2, 3, 1025), (3, 4096), (2, 40_000), (0, 4)])
def test_layer_norm(shape, dtype):
    rng = np.random.default_rng(1)
    x, *weights = (rng.standard_normal(size).astype(dtype) for size in (shape, shape[-1:], shape[-1:]))
    y = layer_norm(*map(cuvec.asarray, (x, *weights)), eps=0.1)
    wide, weight, bias = (array.astype("float64") for array in (x, *weights))
    centered = wide - wide.mean(-1, keepdims=True)
    expected = centered / np.sqrt((centered**2).mean(-1, keepdims=True) + 0.1) * weight + bias
    assert y.dtype == dtype
    tolerance = 2e-2 if dtype != "float32" else 1e-5
    np.testing.assert_allclose(y.astype("float64"), expected, rtol=tolerance, atol=tolerance)


def test_gradients_equal_pytorchs():
    torch = pytest.importorskip("torch")
    operators = importlib.import_module("mypkg.torch")
    device = "cuda" if cuvec.device().kind == "cuda" else "cpu"
    shapes = ((2, 3, 257), (257,), (257,), (2, 3, 257))
    *inputs, dy = (torch.randn(*shape, device=device) for shape in shapes)
    for tensor in inputs:
        tensor.requires_grad_()
    expected = torch.autograd.grad(torch.nn.functional.layer_norm(inputs[0], (257,), *inputs[1:], 0.1), inputs, dy)
    found = torch.autograd.grad(operators.layer_norm(*inputs, eps=0.1), inputs, dy)
    torch.testing.assert_close(found, expected, rtol=1e-4, atol=1e-4)
