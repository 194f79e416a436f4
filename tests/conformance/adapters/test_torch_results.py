"""PyTorch: results whose sizes and forms only the declaration knows."""

import importlib
from contextlib import nullcontext

import package
import pytest
import torch
from errors import exactly
from package import NAME, cuvec
from tensors import everywhere, ones, operators, ops, same
from torch._subclasses.fake_tensor import FakeTensorMode

implementation = importlib.import_module(f"{NAME}.cuvec.torch.calling")
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


@everywhere
def test_sizes_are_found(device):
    x = torch.randint(0, 2, (1000,), device=device).float()
    index = operators.nonzero(x)
    same(index.sort().values, x.nonzero().flatten())
    below, above, size = operators.signs(x)
    assert (below.shape, above.shape, int(size)) == ((0,), index.shape, 1000)


@quiet
@everywhere
def test_compiled_programs_find_sizes(device):
    torch._dynamo.reset()
    with torch._dynamo.config.patch(capture_dynamic_output_shape_ops=True):
        count = torch.compile(lambda x: operators.nonzero(2 * x).sort().values + 1, fullgraph=True)
        for size in (5, 2):
            x = torch.ones(size, device=device)
            same(count(x), torch.arange(1, size + 1))
    for x in (torch.ones(5, device=device), torch.zeros(5, device=device)):
        torch.library.opcheck(ops.nonzero.default, (x,))


def test_a_batch_has_no_common_size():
    message = (
        "nonzero finds the size of index, which may differ in a batch: call it for one element after "
        "the other"
    )
    with pytest.raises(ValueError, match=exactly(message)):
        torch.vmap(operators.nonzero)(torch.ones(2, 3))


@quiet
@everywhere
@pytest.mark.parametrize("compiled", [False, True])
def test_results_have_names(compiled, device):
    torch._dynamo.reset()

    def program(dy, x, weight):
        return operators.rms_norm_bwd(dy, x, weight, x[:, 0])

    run = torch.compile(program, fullgraph=True) if compiled else program
    x, weight = torch.rand(2, 3, device=device), torch.rand(3, device=device)
    result = run(x, x, weight)
    same(result.dx, ops.rms_norm_bwd(x, x, weight, x[:, 0])[0])
    assert type(result).__name__ == "rms_norm_bwd_result"


@pytest.mark.parametrize(("saved", "expected"), [(0, (1, 2, 3)), (1, (1, 2)), (2, 1)])
def test_what_is_saved_is_not_returned(saved, expected):
    assert implementation.answer((1, 2, 3), 3 - saved, None) == expected


def test_what_is_saved_has_no_name():
    found = implementation.answer((1, 2, 3), 2, lambda *named: list(named))
    assert found == [1, 2]


@quiet
@everywhere
@pytest.mark.parametrize("compiled", [False, True])
def test_results_have_the_dtype_of_the_real_part(compiled, device):
    torch._dynamo.reset()
    power = torch.compile(operators.power, fullgraph=True) if compiled else operators.power
    for dtype in (torch.complex64, torch.complex128):
        same(power(ones(2, device=device, dtype=dtype)), ones(2, dtype=dtype).real)


@quiet
@everywhere
@pytest.mark.parametrize("compiled", [False, True])
def test_results_are_written_to_out(compiled, device):
    torch._dynamo.reset()

    def program(a, x, out):
        return operators.gemv(2 * a, x, beta=0, out=out) + 1

    run = torch.compile(program, fullgraph=True) if compiled else program
    a, x = torch.rand(5, 3, device=device), torch.rand(3, device=device)
    out = torch.zeros(5, device=device)
    same(run(a, x, out), 2 * a @ x + 1)
    same(out, 2 * a @ x)
    assert operators.gemv(a, x, out=out) is out
    assert operators.gemv(a, x, out=None) is not out
    with pytest.raises(RuntimeError, match="gemv writes to out, so that it has no"):
        operators.gemv(a, x.requires_grad_(), out=out)


@quiet
@everywhere
def test_any_single_result_is_written(device):
    numbers, real = torch.zeros(3, dtype=torch.int64, device=device), ones(2, device=device)
    assert operators.iota(3, start=1, out=numbers).tolist() == [1, 0, -1]
    same(operators.power(ones(2, device=device, dtype=torch.complex64), out=real), ones(2))
    half = torch.empty(2, dtype=torch.float16, device=device)
    same(operators.astype(real, out=half), half)
    x = ones(4, device=device)
    for operator, args, kwargs in (
        (ops.gemv, (ones(4, 4, device=device), x), {"out": x.clone()}),
        (ops.iota, (3,), {"start": 1, "out": numbers}),
    ):
        torch.library.opcheck(operator.out, args, kwargs)


@everywhere
@pytest.mark.parametrize("mode", [nullcontext, FakeTensorMode])
def test_what_out_has_to_be(mode, device):
    with mode():
        a, x = ones(5, 3, device=device), ones(3, device=device)
        with pytest.raises(TypeError, match=r"same dtype, not float32 and float64|out has dtype"):
            operators.gemv(a, x, out=ones(5, device=device, dtype=torch.float64))
        with pytest.raises(ValueError, match=r"(y|out) has shape"):
            operators.gemv(a, x, out=ones(4, device=device))


@everywhere
@pytest.mark.parametrize("dtype", [torch.int32, torch.int64])
def test_indices_of_another_dtype(dtype, device):
    indptr = torch.tensor([0, 2, 2, 3], device=device)
    indices = torch.tensor([0, 2, 1], dtype=dtype, device=device)
    data, x = (torch.tensor(it, device=device) for it in ([1.0, 2.0, 3.0], [1.0, 10.0, 100.0]))
    for product in (operators.csr_product, package.module.csr_product):
        same(product(indptr, indices, data, x), [201.0, 0.0, 30.0])
    torch.library.opcheck(ops.csr_product.default, (indptr, indices, data, x))


@everywhere
def test_errors_of_kernels(device):
    x, index = ones(3, device=device), torch.tensor([0, 7], device=device)
    for gather in (operators.gather, package.module.gather):

        def gathered(gather=gather):
            gather(x, index)
            cuvec.dev_sync()  # who waits for the GPU is told

        with pytest.raises(RuntimeError, match=r"out of range: 7|no element 7"):
            gathered()
        same(gather(x, index % 3), [1.0, 1.0])


@everywhere
@pytest.mark.parametrize("rows", [(0,), (2, 0)])
def test_empty_batches(rows, device):
    x, weight = ones(*rows, 3, device=device), ones(3, device=device)
    matrices = ones(*rows, 5, 3, device=device)
    for functions in (operators, package.module):
        same(functions.rms_norm(x, weight), ones(*rows, 3))
        same(functions.gemv(matrices, weight), ones(*rows, 5))
        index = torch.full((*rows, 1), 9, device=device)
        same(functions.gather(x, index), ones(*rows, 1))
    same(
        torch.vmap(operators.gemv)(ones(0, 5, 3, device=device), ones(0, 3, device=device)),
        ones(0, 5),
    )


@pytest.mark.function("quantize")
@everywhere
def test_tensors_of_floats_become_8_bits(device):
    x = torch.linspace(-600, 600, 1000, device=device)
    expected = x.clamp(-448, 448).to(torch.float8_e4m3fn).float()
    for quantize in (operators.quantize, package.module.quantize):
        for given in (x, x.bfloat16()):
            q = quantize(given)
            assert (q.dtype, q.device) == (torch.float8_e4m3fn, x.device)
        same(quantize(x).float(), expected)
