"""PyTorch: direct calls that write a tensor, of which its autograd is told as by an operator."""

import pytest
import torch
from package import axpy, cube, dot
from tensors import operators, same


@pytest.mark.parametrize("function", [axpy, operators.axpy])
def test_a_derivative_that_kept_what_was_written_is_an_error(function):
    weights, y = torch.ones(3, requires_grad=True), torch.full((3,), 5.0)
    loss = (weights * y).sum()
    function(1, torch.ones(3), y)
    with pytest.raises(RuntimeError, match="modified by an inplace operation"):
        loss.backward()


def test_each_call_is_a_version():
    x, y = torch.ones(3), torch.zeros(3)
    axpy(1, x, y)
    axpy(1, x[:2], y[:2])
    axpy(1, x.numpy(), torch.nn.Parameter(y, requires_grad=False))
    assert (x._version, y._version) == (0, 3)
    dot(x, y)
    assert (x._version, y._version) == (0, 3)
    cube(x, out=y)
    assert (x._version, y._version) == (0, 4)


def test_out_of_a_tensor_with_a_gradient():
    """As the operator does."""
    x = torch.arange(3.0, requires_grad=True)
    with pytest.raises(RuntimeError, match="cube writes to out, so that it has no derivative"):
        cube(x, out=torch.empty(3))
    out = torch.empty(3)
    with torch.no_grad():
        assert cube(x, out=out) is out
    same(out, x.detach() ** 3)
