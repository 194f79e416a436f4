"""PyTorch: structs by value, whose numbers are arguments of the operators."""

import pytest
import torch
from errors import exactly
from grids import FACTOR, GRID, kinds, mistakes
from package import NAME, module
from tensors import GPUS, operators, ops

NUMBERS = [0.5, 0.25, 2.0, 1, 2, 3, 4, 1, 5]  # of the grid
quiet = pytest.mark.filterwarnings("ignore")  # of PyTorch's compilers


@pytest.fixture(params=["cpu", *GPUS])
def x(request):
    return torch.tensor([[0.0, 1, 2], [3, 4, 5]], dtype=torch.float64, device=request.param)


@kinds
def test_results(grid, x):
    torch.testing.assert_close(operators.stretch(x, grid), FACTOR * x, rtol=0, atol=0)
    torch.testing.assert_close(operators.stretch(x, grid=grid), FACTOR * x, rtol=0, atol=0)
    out = torch.empty_like(x)
    assert operators.stretch(x, grid, out=out) is out
    torch.testing.assert_close(out, FACTOR * x, rtol=0, atol=0)
    assert type(module.stretch(x, grid)) is torch.Tensor


@kinds
def test_what_is_written(grid, x):
    expected = 2 * x
    operators.stretched(x, grid=grid)
    torch.testing.assert_close(x, expected, rtol=0, atol=0)


def test_derivatives(x):
    x.requires_grad_()
    assert torch.autograd.gradcheck(operators.stretch, (x, GRID), fast_mode=True)
    assert torch.autograd.gradgradcheck(operators.stretch, (x, GRID), fast_mode=True)
    (found,) = torch.autograd.grad(module.stretch(x, GRID).sum(), x)
    torch.testing.assert_close(found, torch.full_like(x, FACTOR))


def test_transforms(x):
    expected = torch.full_like(x, FACTOR)
    found = torch.vmap(lambda row: operators.stretch(row, GRID))(x)
    torch.testing.assert_close(found, FACTOR * x)
    found = torch.func.grad(lambda x: operators.stretch(x, GRID).sum())(x)
    torch.testing.assert_close(found, expected)
    found = torch.vmap(torch.func.grad(lambda x: operators.stretch(x, GRID).sum()))(x)
    torch.testing.assert_close(found, expected)


@quiet
@pytest.mark.parametrize("backend", ["aot_eager", "inductor"])
def test_compiled_programs(backend, x):
    def program(x, size):
        y = operators.stretch(x * 2, {**GRID, "size": size})
        operators.stretched(y, grid=GRID)
        return y + 1

    torch._dynamo.reset()
    compiled = torch.compile(program, fullgraph=True, backend=backend)
    for size in (5, 7, 9):
        torch.testing.assert_close(compiled(x, size), program(x, size))


@quiet
def test_exported_programs(x):
    class Program(torch.nn.Module):
        def forward(self, x):
            return operators.stretch(x, GRID)

    program = torch.export.export(Program(), (x,)).module()
    torch.testing.assert_close(program(x), FACTOR * x)


@quiet
def test_opcheck(x):
    torch.library.opcheck(ops.stretch.default, (x.requires_grad_(), NUMBERS))
    torch.library.opcheck(ops.stretched.default, (x.detach(),), {"grid": NUMBERS})


@mistakes
def test_mistakes(grid, error, message, x):
    with pytest.raises(error, match=message):
        operators.stretch(x, grid)
    with pytest.raises(error, match=message):
        operators.stretched(x, grid=grid)


def test_an_operator_has_all_numbers(x):
    operator = ops.stretch
    assert str(operator.default._schema) == f"{NAME}::stretch(Tensor x, Scalar[] grid) -> Tensor"
    torch.testing.assert_close(operator(x, NUMBERS), FACTOR * x)
    with pytest.raises(ValueError, match=exactly("grid must have 9 numbers, not 8")):
        operator(x, NUMBERS[1:])
