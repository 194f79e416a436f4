"""PyTorch: the operators in compiled programs, in CUDA graphs, and on fake tensors."""

import pytest
import torch
from tensors import ERRORS, everywhere, maker, operators, ops, same
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
