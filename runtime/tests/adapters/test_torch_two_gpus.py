"""PyTorch: tensors on the second of two GPUs, while the first is the current one."""

import native
import pytest
import torch
from package import axpy, cuvec, dot, smooth
from tensors import operators, same

pytestmark = pytest.mark.gpu
SECOND = torch.device("cuda", 1)


@pytest.fixture(autouse=True)
def first_gpu_is_current():
    torch.cuda.set_device(0)  # JAX leaves the one that it has used last
    yield
    assert torch.cuda.current_device() == 0
    assert cuvec.device().index == 0


def count(n):
    return torch.arange(n, device=SECOND, dtype=torch.float32)


def test_functions_run_where_tensors_are():
    x, y = count(1000), torch.ones(1000, device=SECOND)
    axpy(2, x, y)
    same(y, 2 * count(1000) + 1)
    assert dot(x, x) == float(x.double() @ x.double())
    assert smooth(x).cuvec.device == 1


def test_the_first_tensor_of_a_process_leaves_the_current_gpu(run_python):
    code = """
    import torch
    from package import dot
    x = torch.ones(1000, device="cuda:1")
    before = torch.cuda.current_device()
    print(dot(x, x), before, torch.cuda.current_device())
    """
    assert run_python(code) == "1000.0 0 0"


def test_operators_make_tensors_there():
    found = operators.smooth(count(1000))
    assert found.device == SECOND
    same(found, torch.from_dlpack(smooth(count(1000))))
    assert operators.iota(10, start=0, device=SECOND).device == SECOND


@pytest.mark.parametrize("call", [axpy, operators.axpy], ids=["function", "operator"])
def test_the_current_stream_of_the_second_gpu(call):
    x, y = count(1000), torch.zeros(1000, device=SECOND)
    torch.cuda.synchronize(SECOND)
    with torch.cuda.stream(torch.cuda.Stream(SECOND)):
        stream = torch.cuda.current_stream(SECOND)
        given = {"stream": stream} if call is axpy else {}
        with torch.cuda.device(SECOND), native.closed_gate(stream.cuda_stream):
            y += 1
            call(2, x, y, **given)
        stream.synchronize()
    same(y, 2 * count(1000) + 1)


@pytest.mark.parametrize("call", [axpy, operators.axpy], ids=["function", "operator"])
def test_tensors_on_two_gpus_are_refused(call):
    x, y = count(1000).to("cuda:0"), torch.ones(1000, device=SECOND)
    with pytest.raises((ValueError, RuntimeError), match=r"two devices|same device"):
        call(2, x, y)
    assert (y == 1).all()
