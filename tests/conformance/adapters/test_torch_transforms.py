"""PyTorch: the transforms of `torch.func`, which differentiate functions as they are declared, and refuse the rest."""

import pytest
import torch
from package import axpy, cube, cuvec
from tensors import everywhere, operators
from torch.autograd import forward_ad
from torch.func import grad, jacrev, jvp, vjp, vmap


def rms_norm(x, weight, eps=1e-6):
    return x * torch.rsqrt((x * x).mean(-1, keepdim=True) + eps) * weight


def random(*shape, device):
    return torch.randn(*shape, generator=torch.Generator().manual_seed(3)).to(device)


def total(function):
    return lambda *args, **kwargs: function(*args, **kwargs).sum()


TRANSFORMS = {
    "grad": lambda f, x, w: grad(total(f))(x, w),
    "of the second argument": lambda f, x, w: grad(total(f), argnums=1)(x, w),
    "vjp": lambda f, x, w: vjp(f, x, w)[1](2 * x)[1],
    "jacrev": lambda f, x, w: jacrev(f)(x, w),
    "vmap of grad": lambda f, x, w: vmap(grad(total(f)), (0, None))(x, w),
    "grad of vmap": lambda f, x, w: grad(total(vmap(f, (0, None))))(x, w),
    "by name": lambda f, x, w: grad(lambda it: f(it, w, eps=1.0).sum())(x),
}


@everywhere
@pytest.mark.parametrize("transform", TRANSFORMS.values(), ids=TRANSFORMS)
def test_declared_derivatives(transform, device):
    x, weight = random(4, 8, device=device), random(8, device=device)
    found = transform(operators.rms_norm, x, weight)
    torch.testing.assert_close(found, transform(rms_norm, x, weight), rtol=1e-4, atol=1e-5)


@everywhere
def test_derivatives_of_derivatives(device):
    x = random(5, device=device)
    found = jacrev(jacrev(total(operators.cube)))(x)
    torch.testing.assert_close(found, torch.diag(6 * x))


@everywhere
def test_without_a_derivative_they_are_errors(device):
    x = random(5, device=device)
    with pytest.raises(RuntimeError, match="dot has no derivative"):
        grad(lambda it: operators.dot(it, it))(x)
    with pytest.raises(RuntimeError, match="axpy writes its arguments"):
        grad(lambda it: operators.axpy(1.0, it, it.clone()))(x)


FUNCTIONS = {
    "with a derivative": operators.cube,
    "without": lambda it: operators.dot(it, it),
    "that writes": lambda it: operators.axpy(1.0, it, it.detach().clone()),
}


@everywhere
@pytest.mark.filterwarnings("ignore")  # of PyTorch's own decompositions, which it imports
@pytest.mark.parametrize("function", FUNCTIONS.values(), ids=FUNCTIONS)
def test_forward_mode_is_an_error(function, device):
    """PyTorch itself drops the tangent."""
    x = random(5, device=device)
    with pytest.raises(
        RuntimeError, match=r"has no forward-mode derivative: take torch\.func\.vjp"
    ):
        jvp(function, (x,), (x,))
    with forward_ad.dual_level():
        dual = forward_ad.make_dual(x, x)
        with pytest.raises(RuntimeError, match="has no forward-mode derivative"):
            function(dual)
        function(x)


@everywhere
def test_direct_calls_in_forward_mode_are_errors(device):
    x = random(5, device=device)
    message = "has no forward-mode derivative: take torch"
    with pytest.raises(RuntimeError, match=message):
        jvp(cube, (x,), (x,))
    with forward_ad.dual_level():
        dual = forward_ad.make_dual(x, x)
        for call in (lambda: cube(dual), lambda: axpy(1.0, dual, x)):
            with pytest.raises(RuntimeError, match=message):
                call()
        with pytest.raises(BufferError, match="the tensor has a tangent of forward-mode"):
            cube(dual, out=cuvec.empty(5, "f4"))
        torch.testing.assert_close(cube(x), operators.cube(x))
    torch.testing.assert_close(cube(x), operators.cube(x))
