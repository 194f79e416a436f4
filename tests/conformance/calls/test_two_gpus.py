"""Two GPUs in one process: arrays of the package, of PyTorch and of JAX on the second one."""

import importlib
import threading

import native
import numpy as np
import pytest
from package import NAME, axpy, cuvec, dot, gather, gemv, iota, module, smooth

pytestmark = pytest.mark.gpu
needs_torch = pytest.mark.library("torch")
needs_jax = pytest.mark.library("jax")


@pytest.fixture(autouse=True)
def first_gpu_again():
    yield
    cuvec.dev_set(0)


def on_gpu(index, value=1.0):
    cuvec.dev_set(index)
    return cuvec.full(1000, value)


def test_arrays_are_on_the_gpu_that_is_set():
    for index in (0, 1):
        x = on_gpu(index)
        assert cuvec.device().index == index
        assert x.cuvec.device == index
        assert x.__dlpack_device__() == (2, index)


def test_functions_run_where_the_arrays_are():
    x, y = on_gpu(1), on_gpu(1)
    cuvec.dev_set(0)
    axpy(2, x, y)
    assert (y == 3).all()
    assert dot(x, y) == 3000


@pytest.mark.parametrize("index", [1, 0])
def test_kernels_report_to_the_host_from_either_gpu(index):
    x = on_gpu(index)
    with pytest.raises(RuntimeError, match="1234"):
        gather(x, cuvec.full(3, 1234, "i8"))
    assert (gather(x, cuvec.zeros(3, "i8")) == 1).all()


def test_arrays_on_two_gpus_are_refused():
    x, y = on_gpu(0), on_gpu(1)
    for call in (lambda: axpy(1, x, y), lambda: dot(x, y)):
        with pytest.raises(ValueError, match="two devices"):
            call()
    assert (y == 1).all()


def test_results_are_on_the_gpu_of_the_arguments():
    x = on_gpu(1, 2.0)
    cuvec.dev_set(0)
    y = smooth(x)
    assert y.cuvec.device == 1
    assert (y == 2).all()
    assert gemv(on_gpu(0).reshape(1, -1), np.ones(1000, "f4")).cuvec.device == 0


def test_functions_without_arrays_run_on_the_gpu_that_is_set():
    for index in (1, 0):
        cuvec.dev_set(index)
        y = iota(1000, start=0)
        assert y.cuvec.device == index
        assert y[999] == -999


def test_results_on_another_gpu_are_refused():
    x, out = on_gpu(0), on_gpu(1, 7.0)
    with pytest.raises(ValueError, match="two devices"):
        smooth(x, out=out)
    assert (out == 7).all()


def test_each_thread_has_its_own_gpu():
    cuvec.dev_set(1)
    seen = []
    thread = threading.Thread(target=lambda: seen.append(cuvec.device().index))
    thread.start()
    thread.join()
    assert seen == [0]
    assert cuvec.device().index == 1


@pytest.fixture
def jax():
    return importlib.import_module("jax")


@pytest.fixture
def functions(jax):  # noqa: ARG001  # imported first
    return importlib.import_module(f"{NAME}.jax")


@needs_jax
@pytest.mark.parametrize("is_compiled", [False, True], ids=["eager", "jit"])
def test_functions_run_where_arrays_of_jax_are(is_compiled, jax, functions):
    def how(function):
        return jax.jit(function) if is_compiled else function

    second = jax.devices()[1]
    x, y = (
        jax.device_put(jax.numpy.asarray(it(1000), "f4"), second) for it in (np.arange, np.ones)
    )
    found = how(lambda x, y: functions.axpy(2, x, y))(x, y)
    assert found.devices() == {second}
    np.testing.assert_array_equal(found, 2 * np.arange(1000) + 1)
    smoothed = how(functions.smooth)(x)
    assert smoothed.devices() == {second}
    np.testing.assert_array_equal(smoothed, smooth(np.arange(1000, dtype="f4")))
    assert cuvec.device().index == 0


@needs_jax
def test_jax_on_both_gpus_in_turn(jax, functions):
    for device in jax.devices()[:2] * 3:
        x = jax.device_put(jax.numpy.arange(100, dtype="f4"), device)
        found = jax.jit(functions.dot)(x, x)
        assert found.devices() == {device}
        assert float(found) == float(np.arange(100.0) @ np.arange(100.0))


@pytest.fixture
def torch():
    """Import PyTorch; the first GPU is the current one, and a test leaves it so."""
    torch = importlib.import_module("torch")
    torch.cuda.set_device(0)  # the tests above leave JAX's last one, for all later tests too
    yield torch
    assert torch.cuda.current_device() == 0
    assert cuvec.device().index == 0


@pytest.fixture
def operators(torch):  # noqa: ARG001  # imported first
    return importlib.import_module(f"{NAME}.torch")


@pytest.fixture
def count(torch):
    """Return what makes a tensor of the first numbers on the second GPU."""
    return lambda n: torch.arange(n, device=torch.device("cuda", 1), dtype=torch.float32)


@needs_torch
def test_functions_run_where_tensors_are(torch, count):
    x, y = count(1000), torch.ones_like(count(1000))
    axpy(2, x, y)
    torch.testing.assert_close(y, 2 * count(1000) + 1)
    assert dot(x, x) == float(x.double() @ x.double())
    assert smooth(x).device == x.device


@needs_torch
def test_the_first_tensor_of_a_process_leaves_the_current_gpu(run_python):
    code = """
    import torch
    from package import dot
    x = torch.ones(1000, device="cuda:1")
    before = torch.cuda.current_device()
    print(dot(x, x), before, torch.cuda.current_device())
    """
    assert run_python(code) == "1000.0 0 0"


@needs_torch
def test_operators_make_tensors_there(torch, operators, count):
    second = count(1000).device
    found = operators.smooth(count(1000))
    assert found.device == second
    torch.testing.assert_close(found, smooth(count(1000)))
    assert operators.iota(10, start=0, device=second).device == second


@needs_torch
@pytest.mark.parametrize("is_operator", [False, True], ids=["function", "operator"])
def test_the_current_stream_of_the_second_gpu(is_operator, torch, operators, count):
    x = count(1000)
    y, second = torch.zeros_like(x), x.device
    torch.cuda.synchronize(second)
    with torch.cuda.stream(torch.cuda.Stream(second)):
        stream = torch.cuda.current_stream(second)
        with torch.cuda.device(second), native.closed_gate(stream.cuda_stream):
            y += 1
            if is_operator:
                operators.axpy(2, x, y)
            else:
                axpy(2, x, y, stream=stream)
        stream.synchronize()
    torch.testing.assert_close(y, 2 * count(1000) + 1)


@needs_torch
@pytest.mark.parametrize("is_operator", [False, True], ids=["function", "operator"])
def test_tensors_on_two_gpus_are_refused(is_operator, torch, operators, count):
    x, y = count(1000).to("cuda:0"), torch.ones_like(count(1000))
    with pytest.raises((ValueError, RuntimeError), match=r"two devices|same device"):
        (operators.axpy if is_operator else axpy)(2, x, y)
    assert (y == 1).all()


def test_methods_run_where_the_object_is():
    cuvec.dev_set(1)
    x = cuvec.ones(1000, "f4")
    made = module.Filter(np.ones(1, "f4"), 1000)
    cuvec.dev_set(0)
    assert repr(made) == f"<{NAME}.Filter on GPU 1>"
    made.add(x)
    made.add(np.ones(1000, "f4"))
    assert made.total().cuvec.device == 1
    assert (made.total() == 2).all()
    with pytest.raises(
        ValueError, match=r"^x is on GPU 0, but the Filter is on GPU 1; copy it there$"
    ):
        made.add(cuvec.ones(1000, "f4"))
