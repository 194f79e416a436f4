"""PyTorch: registered derivatives."""

import pytest
import torch
from tensors import everywhere, ones, operators, ops, same

quiet = pytest.mark.filterwarnings("ignore")  # of PyTorch's compilers


def setup_context(ctx, inputs, keyword_only_inputs, output):  # noqa: ARG001
    ctx.save_for_backward(*inputs)
    ctx.alpha = keyword_only_inputs["alpha"]


def backward(ctx, grad):
    a, x = ctx.saved_tensors
    return ctx.alpha * torch.outer(grad, x), operators.gemv(a.t(), grad, alpha=ctx.alpha, beta=0)


@pytest.fixture(scope="module", autouse=True)
def derivative():
    traced = torch.compile(alpha_3, backend="aot_eager", fullgraph=True)
    x = ones(3).requires_grad_()
    traced(ones(3, 3), x)  # without a derivative, which must not be cached
    torch._dynamo.reset()
    operators.register_autograd("gemv", backward, setup_context=setup_context)


def inputs(device):
    return [
        torch.rand(*shape, device=device, dtype=torch.float64, requires_grad=True)
        for shape in ((4, 3), (3,))
    ]


def alpha_3(a, x):
    return operators.gemv(a, x, alpha=3)


@quiet
@everywhere
def test_derivatives(device):
    a, x = inputs(device)
    assert torch.autograd.gradcheck(alpha_3, (a, x))
    operators.gemv(a, x).sum().backward()  # an expanded gradient
    same(x.grad, a.detach().sum(0))


@quiet
@everywhere
@pytest.mark.parametrize("dynamic", [False, True])
@pytest.mark.parametrize("backend", ["aot_eager", "inductor"])
def test_derivatives_in_compiled_programs(backend, dynamic, device):
    torch._dynamo.reset()
    compiled = torch.compile(alpha_3, fullgraph=True, backend=backend, dynamic=dynamic)
    a, x = inputs(device)
    for weights in (torch.rand(4, device=device).double(), torch.ones(1, device=device).double()):
        found = torch.autograd.grad((compiled(a, x) * weights).sum(), (a, x))
        expected = torch.autograd.grad((alpha_3(a, x) * weights).sum(), (a, x))
        for one, other in zip(found, expected, strict=True):
            same(one, other)


CHECKS = [
    "test_schema",
    "test_autograd_registration",
    "test_faketensor",
    "test_aot_dispatch_dynamic",
]


@quiet
@everywhere
@pytest.mark.parametrize("check", CHECKS)
def test_opcheck(check, device):
    torch.library.opcheck(ops.gemv.default, inputs(device), {"alpha": 3}, test_utils=check)


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
