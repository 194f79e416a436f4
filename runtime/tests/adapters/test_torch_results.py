"""PyTorch: results whose sizes and forms only the declaration knows."""

import pytest
import torch
from errors import exactly
from tensors import everywhere, ones, operators, same

quiet = pytest.mark.filterwarnings("ignore")  # of PyTorch's compilers


@quiet
@everywhere
@pytest.mark.parametrize("compiled", [False, True])
def test_dimensions_are_solved(compiled, device):
    torch._dynamo.reset()
    spmv = (
        torch.compile(operators.spmv, dynamic=True, fullgraph=True) if compiled else operators.spmv
    )
    for rows in (3, 5):
        indptr = torch.arange(rows + 1, device=device)
        x = torch.rand(rows, device=device)
        same(spmv(indptr, indptr[:-1], torch.full_like(x, 2), x), 2 * x)
    message = "x has shape (2, 7), but 2*d cannot be 7"
    with pytest.raises(ValueError, match=exactly(message)):
        operators.pair_sums(ones(2, 7, device=device))
