"""PyTorch: the operators in compiled programs, in CUDA graphs, on fake tensors, and with registered derivatives."""

import pytest
import torch
from tensors import ERRORS, everywhere, maker, ones, operators, ops, same
from torch._subclasses.fake_tensor import FakeTensorMode

quiet = pytest.mark.filterwarnings("ignore")  # of PyTorch's compilers


def program(a, x, y, bins):
    z = operators.gemv(a.t().contiguous(), x * 2, alpha=3)
    operators.axpy(2, z, y)
    y = y.relu()
    counts = operators.histogram(y, bins)
    return operators.dot(y, z) + counts.sum(), ops.smooth(z), operators.iota(bins, start=0)


@quiet
@everywhere
@pytest.mark.parametrize("dynamic", [False, True])
@pytest.mark.parametrize("backend", ["eager", "aot_eager", "inductor"])
def test_compiled_programs_have_no_graph_breaks(backend, dynamic, device):
    torch._dynamo.reset()
    compiled = torch.compile(program, fullgraph=True, backend=backend, dynamic=dynamic)
    for m, n, bins in ((7, 5, 3), (9, 4, 6)):
        a, x, y = (torch.rand(*shape, device=device) for shape in ((n, m), (n,), (m,)))
        expected_y, found_y = y.clone(), y.clone()
        expected = program(a, x, expected_y, bins)
        found = compiled(a, x, found_y, bins)
        for one, other in zip((*found, found_y), (*expected, expected_y), strict=True):
            torch.testing.assert_close(one, other)


@quiet
@everywhere
@pytest.mark.parametrize("backend", ["aot_eager", "inductor"])
def test_parts_of_tensors_are_written_in_compiled_programs(backend, device):
    def turn(whole, tables):
        whole = whole * 2
        operators.rotary(whole[:, :, 4:8], *tables)
        return whole + 1

    torch._dynamo.reset()
    whole, tables = torch.rand(2, 3, 12, 6, device=device), torch.rand(2, 3, 3, device=device)
    compiled = torch.compile(turn, fullgraph=True, backend=backend)
    torch.testing.assert_close(compiled(whole, tables), turn(whole, tables))


@quiet
@pytest.mark.gpu
def test_compiled_programs_become_graphs():
    torch._dynamo.reset()
    compiled = torch.compile(
        lambda a, x: operators.gemv(a, x).sin(), fullgraph=True, mode="reduce-overhead"
    )
    a = torch.rand(8, 8, device="cuda")
    for _ in range(4):
        x = torch.rand(8, device="cuda")
        same(compiled(a, x).clone(), (a @ x - 0.5).sin())


class InPlace(torch.nn.Module):
    def forward(self, x, y):
        operators.axpy(2.0, x, y)
        return operators.dot(x, y)


@quiet
@everywhere
@pytest.mark.parametrize("decomposed", [False, True])
def test_exported_programs_write_in_place(decomposed, device):
    make, size = maker(device), {0: torch.export.Dim("n")}
    exported = torch.export.export(InPlace(), (make(5), make(5)), dynamic_shapes=(size, size))
    exported = exported.run_decompositions() if decomposed else exported
    y = make(7)
    assert exported.module()(make(7), y).item() == 21
    same(y, 3 * make(7))


CHECKED = {
    "axpy": lambda it: (2.0, it(6), it(6)),
    "swap": lambda it: (it(2, 3, dtype=torch.float64), 2 * it(2, 3, dtype=torch.float64)),
    "gemv": lambda it: (it(4, 3), it(3)),
    "dot": lambda it: (it(2, 3), it(2, 3)),
    "pieces": lambda it: (it(5, dtype=torch.int32),),
    "histogram": lambda it: (it(5), 3),
    "fill": lambda it: (it(5, dtype=torch.complex64), 2),
    "smooth": lambda it: (it(5),),
}


@quiet
@everywhere
@pytest.mark.parametrize("name", CHECKED)
def test_opcheck(name, device):
    torch.library.opcheck(getattr(ops, name).default, CHECKED[name](maker(device)))


@quiet
@everywhere
def test_opcheck_without_tensors(device):
    torch.library.opcheck(ops.iota.default, (4,), {"start": 1, "device": torch.device(device)})


@pytest.mark.gpu
def test_graphs_are_captured_and_replayed():
    a, x, y = (torch.rand(*n, device="cuda") for n in ((64, 32), (32,), (64,)))

    def step():
        z = operators.gemv(a, x)
        operators.axpy(0.5, z, y)
        return operators.dot(y, z), operators.iota(3, start=1, device="cuda")

    stream = torch.cuda.Stream()
    with torch.cuda.stream(stream):
        step()
    torch.cuda.synchronize()
    graph = torch.cuda.CUDAGraph()
    with torch.cuda.graph(graph):
        total, numbers = step()
    x.copy_(torch.rand(32, device="cuda"))
    before = y.clone()
    for _ in range(3):
        graph.replay()
    z = a @ x - 0.5
    same(y, before + 1.5 * z)
    torch.testing.assert_close(total.float(), torch.dot(y, z), rtol=1e-4, atol=0)
    assert numbers.tolist() == [1, 0, -1]


@everywhere
@pytest.mark.parametrize("case", ERRORS)
def test_errors_are_raised_for_fake_tensors(case, device):
    error, call = ERRORS[case]
    with FakeTensorMode(), pytest.raises(error):
        call(maker(device))


def test_results_on_the_meta_device():
    meta = maker("meta")
    assert operators.gemv(meta(4, 3), meta(3)).shape == (4,)
    assert operators.dot(meta(2, 2), meta(2, 2)).dtype == torch.float64
    assert operators.iota(7, start=0, device="meta").shape == (7,)
    assert operators.axpy(1, meta(3), meta(3)) is None


def setup_context(ctx, inputs, keyword_only_inputs, output):  # noqa: ARG001
    ctx.save_for_backward(*inputs)
    ctx.alpha = keyword_only_inputs["alpha"]


def backward(ctx, grad):
    a, x = ctx.saved_tensors
    return ctx.alpha * torch.outer(grad, x), operators.gemv(a.t(), grad, alpha=ctx.alpha, beta=0)


@pytest.fixture(scope="module")
def derivative():
    traced = torch.compile(alpha_3, backend="aot_eager", fullgraph=True)
    x = ones(3).requires_grad_()
    with pytest.raises(RuntimeError, match="gemv has no derivative"):  # which must not be cached
        traced(ones(3, 3), x)
    torch._dynamo.reset()
    operators.register_autograd("gemv", backward, setup_context=setup_context)


def inputs(device):
    return [
        torch.rand(*shape, device=device, dtype=torch.float64, requires_grad=True)
        for shape in ((4, 3), (3,))
    ]


def alpha_3(a, x):
    return operators.gemv(a, x, alpha=3)


@pytest.mark.usefixtures("derivative")
@quiet
@everywhere
def test_derivatives(device):
    a, x = inputs(device)
    assert torch.autograd.gradcheck(alpha_3, (a, x))
    operators.gemv(a, x).sum().backward()  # an expanded gradient
    same(x.grad, a.detach().sum(0))


@pytest.mark.usefixtures("derivative")
@quiet
@everywhere
def test_derivatives_that_are_registered_see_no_batch(device):
    """It is `vmap` that has one: a backward function is written for the shapes that are declared."""
    a, x = torch.rand(2, 4, 3, device=device).double().requires_grad_(), inputs(device)[1]
    found = torch.autograd.grad(torch.vmap(alpha_3, (0, None))(a, x).sum(), (a, x))
    expected = [3 * x.expand(2, 4, 3), 3 * a.sum((0, 1))]
    torch.testing.assert_close(found, tuple(it.detach() for it in expected))


@pytest.mark.usefixtures("derivative")
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


@pytest.mark.usefixtures("derivative")
@quiet
@everywhere
@pytest.mark.parametrize("check", CHECKS)
def test_opcheck_with_a_derivative(check, device):
    torch.library.opcheck(ops.gemv.default, inputs(device), {"alpha": 3}, test_utils=check)


@pytest.mark.usefixtures("derivative")
def test_a_derivative_is_registered_once():
    with pytest.raises(RuntimeError):
        operators.register_autograd("gemv", backward, setup_context=setup_context)


@pytest.mark.usefixtures("derivative")
def test_functions_that_write_their_arguments_have_no_derivative():
    with pytest.raises(RuntimeError, match="axpy cannot have a derivative"):
        operators.register_autograd("axpy", backward)


@everywhere
def test_a_backward_pass_without_a_derivative_is_an_error(device):
    x = ones(3, device=device).requires_grad_()
    total = operators.smooth(x).sum() + x.sum()
    with pytest.raises(RuntimeError, match=r"smooth has no derivative: register one .*detach"):
        total.backward()
    with torch.no_grad():
        assert operators.smooth(x).tolist() == operators.smooth(x.detach()).tolist()
    (operators.smooth(x.detach()).sum() + x.sum()).backward()
    assert x.grad.tolist() == [1, 1, 1]


@everywhere
def test_gradients_do_not_get_lost_in_arrays_by_name(device):
    x, limit = ones(3, device=device), 2 * ones(3, device=device)
    same(operators.at_least(x, limit=limit), limit)
    with pytest.raises(RuntimeError, match="at_least takes an array by name only, so that it has"):
        operators.at_least(x.requires_grad_(), limit=limit)
    with pytest.raises(RuntimeError, match="at_least cannot have a derivative"):
        operators.register_autograd("at_least", backward)


@everywhere
@pytest.mark.parametrize("written", [False, True])
def test_gradients_do_not_get_lost_in_place(written, device):
    x, y = ones(3, device=device), ones(3, device=device)
    (y if written else x).requires_grad_()
    for call in (operators.axpy, ops.axpy):
        with pytest.raises(RuntimeError, match="axpy writes its arguments, so that it has no"):
            call(1, x, y)
    assert y.tolist() == [1, 1, 1]
    with torch.no_grad():
        operators.axpy(1, x, y)
    assert y.tolist() == [2, 2, 2]


@pytest.mark.usefixtures("derivative")
@everywhere
def test_a_derivative_does_not_use_what_was_overwritten(device):
    x = ones(3, device=device).requires_grad_()
    y = 2 * ones(3, device=device)
    z = x * y
    operators.axpy(1, ones(3, device=device), y)
    with pytest.raises(RuntimeError, match="modified by an inplace operation"):
        z.sum().backward()
