"""PyTorch's autocast: what the declaration of a function makes of tensors of several dtypes."""

import pytest
import torch
from tensors import everywhere, maker, operators, ops, same

FEW = {"cpu": torch.bfloat16, "cuda": torch.float16}


def autocast(device):
    return torch.autocast(torch.device(device).type, FEW[torch.device(device).type])


def normalized(x, weight):
    return operators.rms_norm(x @ x, weight)  # which autocast makes of 16 bits


@everywhere
def test_tensors_of_one_variable_become_the_widest(device):
    x, weight = torch.rand(3, 3, device=device), torch.rand(3, device=device)
    with autocast(device):
        product = x @ x
        found = normalized(x, weight)
    assert (product.dtype, found.dtype) == (FEW[torch.device(device).type], torch.float32)
    same(found, operators.rms_norm(product.float(), weight))
    with pytest.raises(TypeError, match="dtype"):
        operators.rms_norm(product, weight)


@everywhere
def test_or_the_next_wider_that_the_function_has(device):
    x = torch.rand(3, 4, device=device).to(torch.float16)
    with autocast(device):
        found = operators.rms_norm(x, x[0])  # which has float32 and bfloat16
        assert operators.affine(x[:0], x[0]).dtype == torch.float32
    same(found, operators.rms_norm(x.float(), x[0].float()))


@everywhere
def test_what_is_written_is_not_cast(device):
    x, y = maker(device)(3, dtype=torch.bfloat16), maker(device)(3)
    with autocast(device):
        operators.axpy(2, x, y)
        with pytest.raises(TypeError, match="must have the same dtype"):
            operators.axpy(2, x.double(), y)
    same(y, maker(device)(3) * 3)


@everywhere
def test_integers_stay_what_they_are(device):
    x = maker(device)(3, dtype=torch.int32)
    with autocast(device):
        operators.swap(x, 2 * x.clone())
        assert ops.first.default(x).dtype == torch.int32


@everywhere
@pytest.mark.filterwarnings("ignore::DeprecationWarning:torch.*")  # of what PyTorch imports then
@pytest.mark.parametrize("compiled", [False, True], ids=["eager", "compiled"])
def test_gradients_have_the_dtypes_of_their_tensors(compiled, device):
    torch.compiler.reset()
    program = (
        torch.compile(normalized, backend="aot_eager", fullgraph=True) if compiled else normalized
    )
    x, weight = torch.rand(3, 3, device=device), torch.rand(3, device=device)
    with autocast(device):
        program(x.requires_grad_(), weight.requires_grad_()).sum().backward()
    product = (x @ x).detach().to(FEW[torch.device(device).type]).float().requires_grad_()
    other = weight.detach().clone().requires_grad_()
    operators.rms_norm(product, other).sum().backward()
    assert x.grad.dtype == torch.float32
    torch.testing.assert_close(weight.grad, other.grad, rtol=2e-2, atol=2e-2)
