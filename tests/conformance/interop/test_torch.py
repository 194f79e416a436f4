"""PyTorch: tensors in and out, without a copy."""

import numpy as np
import package
import pytest
import torch
from package import axpy, cuvec, dot, first, gemv, pieces, rms_norm, smooth

DTYPES = ["float32", "float64", "float16", "int8", "int16", "int32", "int64", "uint8", "bool"]


@pytest.mark.parametrize("memory", ["managed", "pinned"])
@pytest.mark.parametrize("dtype", DTYPES)
def test_tensors_share_our_memory(dtype, memory):
    x = cuvec.zeros((3, 4), dtype, memory)
    tensor = torch.from_dlpack(x)
    assert (tensor.data_ptr(), tuple(tensor.shape)) == (x.ptr, x.shape)
    assert str(tensor.dtype) == f"torch.{dtype}"
    assert tensor.device.type == cuvec.device().kind
    tensor[1, 2] = 1
    cuvec.dev_sync()
    assert x[1, 2] == 1
    assert x.sum() == 1


def test_tensors_of_views():
    x = cuvec.asarray(np.arange(24.0).reshape(4, 6))
    for view in (x[1:3], x.T, x[::2, 1::2]):
        tensor = torch.from_dlpack(view)
        assert tensor.data_ptr() == view.ptr
        np.testing.assert_array_equal(tensor.cpu().numpy(), view)


def test_a_tensor_keeps_the_memory_alive():
    tensor = torch.from_dlpack(cuvec.full(1000, 7))
    cuvec.zeros(1000)
    assert bool((tensor == 7).all())


def test_functions_work_on_tensors_in_place():
    x = torch.arange(1000, dtype=torch.float32, device=cuvec.device().kind)
    y = torch.ones_like(x)
    address = y.data_ptr()
    axpy(2, x, y)
    assert y.data_ptr() == address
    assert y.tolist() == [2 * i + 1 for i in range(1000)]
    assert dot(x, x) == sum(i * i for i in range(1000))


@pytest.mark.parametrize("device", ["cpu", cuvec.device().kind])
def test_results_are_tensors_where_the_arguments_are(device):
    a, x = torch.rand(3, 5, device=device), torch.rand(5, device=device)
    y = gemv(a, x, beta=0)
    assert (type(y), y.dtype, y.device) == (torch.Tensor, torch.float32, a.device)
    torch.testing.assert_close(y, a @ x)
    out = torch.empty_like(y)
    assert gemv(a, x, beta=0, out=out) is out
    less, more, half, size = pieces(torch.arange(5, dtype=torch.int32, device=device))
    assert {type(it) for it in (less, more, half)} == {torch.Tensor}
    assert (less.tolist(), half.tolist(), size) == ([1] * 4, [0, 2], 5)
    assert type(first(x)) is float
    assert type(first(a)) is torch.Tensor


def test_results_of_mixed_arguments_are_of_the_first_library():
    a, x = torch.rand(3, 5, device=cuvec.device().kind), cuvec.ones(5)
    y = gemv(a, x, beta=0)
    assert (type(y), y.device) == (torch.Tensor, a.device)
    assert type(gemv(np.ones((3, 5), "f4"), x)) is cuvec.CuVec
    assert type(gemv(a.cpu().numpy(), a[0])) is torch.Tensor


def test_results_of_parameters_are_tensors():
    x = torch.nn.Parameter(torch.ones(4, device=cuvec.device().kind), requires_grad=False)
    assert type(smooth(x)) is torch.Tensor


def test_a_result_that_is_too_large_is_a_memory_error():
    x = torch.zeros(1, device=cuvec.device().kind).expand(1 << 45, 1)
    with pytest.raises((MemoryError, RuntimeError)):
        rms_norm(x, torch.ones(1, device=cuvec.device().kind))
    assert smooth(torch.ones(3, device=cuvec.device().kind)).shape == (3,)


@pytest.mark.gpu
def test_results_on_a_stream():
    x = torch.ones(1000, device="cuda")
    stream = torch.cuda.Stream()
    stream.wait_stream(torch.cuda.current_stream())  # on which `x` is made
    with torch.cuda.stream(stream):
        y = smooth(x, stream=stream)
        assert (y * 2).sum().item() == 2 * float(smooth(cuvec.ones(1000)).sum())


def test_tensors_and_arrays_mix():
    x = torch.ones(10, device=cuvec.device().kind)
    y, plain = cuvec.zeros(10), np.zeros(10, "f4")
    axpy(1, x, y)
    axpy(2, y, x)
    axpy(1, x, plain)
    np.testing.assert_array_equal(plain, np.full(10, 3))


def test_tensors_are_copied_by_asarray():
    x = cuvec.asarray(torch.arange(6, device=cuvec.device().kind).reshape(2, 3))
    assert (type(x), x.dtype) == (cuvec.CuVec, np.int64)
    np.testing.assert_array_equal(x, [[0, 1, 2], [3, 4, 5]])


def test_tensors_of_other_dtypes_are_refused():
    x = torch.ones(3, dtype=torch.bfloat16, device=cuvec.device().kind)
    with pytest.raises(TypeError, match="x has dtype bfloat16"):
        dot(x, x)


@pytest.mark.parametrize("position", [0, 1])
def test_no_gradients_are_lost_in_what_is_written(position):
    x_and_y = [torch.ones(3, device=cuvec.device().kind) for _ in range(2)]
    x_and_y[position].requires_grad = True
    with pytest.raises(RuntimeError, match=r"axpy .*derivative"):
        axpy(1, *x_and_y)
    assert [tensor.tolist() for tensor in x_and_y] == [[1, 1, 1], [1, 1, 1]]
    axpy(1, *(tensor.detach() for tensor in x_and_y))
    assert x_and_y[1].tolist() == [2, 2, 2]


def test_none_is_no_array_that_says_whose_call_it_is():
    y = torch.ones(3, device=cuvec.device().kind, requires_grad=True)
    with pytest.raises(RuntimeError, match=r"shift .*derivative"):
        package.module.shift(None, y)


@pytest.mark.gpu
def test_buffers_become_tensors_by_the_cuda_array_interface():
    x = cuvec.zeros((2, 3))
    tensor = torch.as_tensor(x.cuvec, device="cuda")
    assert tensor.data_ptr() == x.ptr


@pytest.mark.gpu
def test_calls_on_torchs_streams():
    stream = torch.cuda.Stream()
    with torch.cuda.stream(stream):
        x = torch.ones(1 << 20, device="cuda")
        y = torch.zeros_like(x)
        for _ in range(10):
            x.mul_(2)
            axpy(1, x, y, stream=stream)
            x.div_(2)
        total = y.sum()
    stream.synchronize()
    assert total.item() == 20 * (1 << 20)


@pytest.mark.gpu
def test_calls_wait_for_torchs_current_stream():
    with torch.cuda.stream(torch.cuda.Stream()):
        x, y = torch.zeros(1 << 20, device="cuda"), cuvec.zeros(1 << 20)
        for _ in range(100):
            torch.cuda._sleep(50_000_000)  # so that x is late, and the order matters
            x += 1
            axpy(1, x, y)
    assert (y == 5050).all()


@pytest.mark.gpu
def test_calls_wait_for_tensors_and_tensors_for_calls():
    x = torch.zeros(1 << 20, device="cuda")
    y = cuvec.zeros(1 << 20)
    for _ in range(100):
        x.add_(1)
        axpy(1, x, y)
        x.add_(torch.from_dlpack(y), alpha=0)
    assert (y == 5050).all()


@pytest.mark.parametrize("dtype", [torch.complex64, torch.complex128])
def test_conjugates_are_what_they_say(dtype):
    """Their elements differ from those in memory, and DLPack cannot express that: PyTorch's operator copies them."""
    a = torch.full((2, 2), 1j, device=cuvec.device().kind, dtype=dtype)
    x = torch.ones(2, device=cuvec.device().kind, dtype=dtype)
    assert gemv(a.conj(), x, beta=0).tolist() == [-2j, -2j]
    with pytest.raises((BufferError, RuntimeError), match="conj"):  # the latter by PyTorch
        cuvec.asarray(a.conj())


def test_negatives_are_what_they_say():
    x = torch.full((1,), 3 - 2j, device=cuvec.device().kind).conj().imag
    assert (x.is_neg(), x.item()) == (True, 2)
    assert dot(x, x) == 4
    with pytest.raises((BufferError, RuntimeError), match="resolve_neg"):
        cuvec.asarray(x)
    assert cuvec.asarray(x.resolve_neg()).tolist() == [2]
