"""PyTorch: derivatives that functions declare."""

import package
import pytest
import torch
from tensors import everywhere, operators, ops, same
from torch.autograd import gradcheck, gradgradcheck

quiet = pytest.mark.filterwarnings("ignore")  # of PyTorch's compilers


def random(*shape, device="cpu", dtype=torch.float64):
    generator = torch.Generator().manual_seed(len(shape))
    made = torch.randn(*shape, generator=generator, dtype=dtype)
    return made.to(device).requires_grad_()


def cube_2(x):
    return operators.cube(x, a=2)


def rms_norm(x, weight, eps=1e-6):
    return x * torch.rsqrt((x * x).mean(-1, keepdim=True) + eps) * weight


@everywhere
def test_numbers_given_by_name_reach_the_derivative(device):
    x = random(3, 4, device=device)
    assert gradcheck(cube_2, x)
    (gradient,) = torch.autograd.grad(cube_2(x).sum(), x)
    same(gradient, 6 * x.detach() ** 2)


@everywhere
def test_direct_calls_have_them_too(device):
    x = random(3, 4, device=device)
    y = package.module.cube(x, a=2)
    assert y.requires_grad
    same(torch.autograd.grad(y.sum(), x)[0], 6 * x.detach() ** 2)
    with torch.no_grad():
        assert not package.module.cube(x, a=2).requires_grad


@everywhere
def test_a_derivative_may_declare_its_own(device):
    assert gradgradcheck(cube_2, random(5, device=device))


@everywhere
def test_a_derivative_without_one_is_an_error_in_the_backward_pass(device):
    x = random(3, device=device)
    (first,) = torch.autograd.grad(cube_2(x).sum(), x, create_graph=True)
    (second,) = torch.autograd.grad(first.sum(), x, create_graph=True)
    same(second.detach(), 12 * x.detach())
    with pytest.raises(RuntimeError, match="cube_bwd2 has no derivative"):
        second.sum().backward()


@everywhere
def test_gradients_are_summed_over_the_dimensions_that_an_argument_lacks(device):
    x, weight = random(2, 3, 4, device=device), random(4, device=device)
    x, weight = (it.detach().float().requires_grad_() for it in (x, weight))
    factor = torch.arange(24.0, device=device).reshape(2, 3, 4)
    found = (operators.rms_norm(x, weight, eps=0.5) * factor).sum()
    expected = (rms_norm(x, weight, eps=0.5) * factor).sum()
    found, expected = (torch.autograd.grad(it, (x, weight)) for it in (found, expected))
    assert [it.shape for it in found] == [x.shape, weight.shape]
    torch.testing.assert_close(found, expected)


@everywhere
def test_gradients_of_numbers(device):
    x = random(3, device=device)
    assert gradcheck(operators.squares, x)
    (gradient,) = torch.autograd.grad(operators.squares(x), x)
    same(gradient, 2 * x.detach())


@everywhere
def test_integers_have_no_gradient(device):
    x = torch.arange(3, device=device, dtype=torch.int32)
    assert operators.cube(x).tolist() == [0, 1, 8]


@everywhere
def test_a_value_that_was_overwritten_is_refused(device):
    x = random(3, device=device)
    y = x * 1
    z = operators.cube(y)
    with torch.no_grad():
        y.mul_(2)
    with pytest.raises(RuntimeError, match="modified by an inplace operation"):
        z.sum().backward()


@quiet
@everywhere
@pytest.mark.parametrize("dynamic", [False, True])
@pytest.mark.parametrize("backend", ["aot_eager", "inductor"])
def test_derivatives_in_compiled_programs(backend, dynamic, device):
    torch._dynamo.reset()
    compiled = torch.compile(operators.rms_norm, fullgraph=True, backend=backend, dynamic=dynamic)
    for shape in ((2, 4), (3, 5)):
        x = torch.randn(*shape, device=device, requires_grad=True)
        weight = torch.randn(shape[-1], device=device, requires_grad=True)
        found = torch.autograd.grad((compiled(x, weight) ** 2).sum(), (x, weight))
        expected = torch.autograd.grad((rms_norm(x, weight) ** 2).sum(), (x, weight))
        torch.testing.assert_close(found, expected, rtol=1e-4, atol=1e-5)


CHECKED = {
    "cube": lambda device: ((random(3, device=device),), {"a": 2.0}),
    "squares": lambda device: ((random(3, device=device),), {}),
    "rms_norm": lambda device: (
        [it.detach().float() for it in (random(2, 4, device=device), random(4, device=device))],
        {},
    ),
}


@quiet
@everywhere
@pytest.mark.parametrize("name", CHECKED)
def test_opcheck(name, device):
    args, kwargs = CHECKED[name](device)
    args = [it.detach().requires_grad_() for it in args]
    torch.library.opcheck(getattr(ops, name).default, tuple(args), kwargs)


def test_a_declared_derivative_cannot_be_registered_again():
    with pytest.raises(RuntimeError, match="cube has a derivative already"):
        operators.register_autograd("cube", lambda *_: None)


@everywhere
def test_saved_results_are_what_the_operator_returns_besides(device):
    x, weight = (it.detach().float() for it in (random(2, 4, device=device), random(4)))
    y = operators.rms_norm(x, weight.to(device), eps=0.5)
    both = ops.rms_norm(x, weight.to(device), eps=0.5)
    same(y, both[0])
    torch.testing.assert_close(both[1], torch.rsqrt((x * x).mean(-1) + 0.5))


@everywhere
def test_saved_results_have_no_gradient(device):
    x = random(2, 4, device=device).detach().float().requires_grad_()
    y, rstd = ops.rms_norm(x, torch.ones(4, device=device))
    assert (y.requires_grad, rstd.requires_grad) == (True, False)
    with pytest.raises(RuntimeError, match="does not require grad"):
        rstd.sum().backward()
    y.sum().backward()
    assert x.grad is not None


@everywhere
def test_derivatives_use_what_was_saved(device):
    x = random(2, 4, device=device).detach().float().requires_grad_()
    saved = []
    with torch.autograd.graph.saved_tensors_hooks(
        lambda it: saved.append(it.shape) or it, lambda it: it
    ):
        operators.rms_norm(x, torch.ones(4, device=device))
    assert saved == [(2, 4), (4,), (2,)]
