"""PyTorch: derivatives that an owner registers."""

import pytest
import torch
from tensors import everywhere, ones, operators, ops, same

quiet = pytest.mark.filterwarnings("ignore")  # of what PyTorch uses to compile


def setup_context(ctx, inputs, keyword_only_inputs, output):  # noqa: ARG001
    ctx.save_for_backward(*inputs)
    ctx.alpha = keyword_only_inputs["alpha"]


def backward(ctx, grad):
    a, x = ctx.saved_tensors
    return ctx.alpha * torch.outer(grad, x), operators.gemv(a.t(), grad, alpha=ctx.alpha, beta=0)


@pytest.fixture(scope="module", autouse=True)
def derivative():
    operators.register_autograd("gemv", backward, setup_context=setup_context)


@quiet
@everywhere
def test_derivatives(device):
    a, x = (
        torch.rand(*shape, device=device, dtype=torch.float64, requires_grad=True)
        for shape in ((4, 3), (3,))
    )
    assert torch.autograd.gradcheck(lambda a, x: operators.gemv(a, x, alpha=3), (a, x))
    torch.library.opcheck(ops.gemv.default, (a, x), {"alpha": 3})
    operators.gemv(a, x).sum().backward()  # an expanded gradient
    same(x.grad, a.detach().sum(0))


def test_a_derivative_is_registered_once():
    with pytest.raises(RuntimeError):
        operators.register_autograd("gemv", backward, setup_context=setup_context)


def test_functions_that_write_their_arguments_have_no_derivative():
    with pytest.raises(RuntimeError, match="non-functional"):
        operators.register_autograd("axpy", backward)


@everywhere
def test_a_derivative_does_not_use_what_was_overwritten(device):
    x = ones(3, device=device).requires_grad_()
    y = 2 * ones(3, device=device)
    z = x * y
    operators.axpy(1, ones(3, device=device), y)
    with pytest.raises(RuntimeError, match="modified by an inplace operation"):
        z.sum().backward()
