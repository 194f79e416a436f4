"""The choice of the device, `CUVEC_DEVICE`, and the CUDA context that calls leave as it was."""

import ctypes
import sys
import threading

import pytest
from exporters import CudaArrayInterface, Dlpack
from package import axpy, cuvec, dot

WHICH = "from package import cuvec; print(*cuvec.device()[:2])"
WHY = "from package import cuvec; print(cuvec.device().kind, cuvec.device().reason)"
NO_GPU = {"CUDA_VISIBLE_DEVICES": ""}
WHY_NOT = """
from package import axpy, cuvec
for use in (cuvec.device, lambda: cuvec.zeros(3), cuvec.dev_sync):
    try:
        use()
    except (RuntimeError, ValueError) as error:
        print(type(error).__name__, error)
"""


def test_device_describes_the_device_and_the_reason():
    device = cuvec.device()
    assert device.kind in ("cuda", "cpu")
    assert (device.index is None) == (device.kind == "cpu")
    assert device.name
    assert device.reason
    assert device.name in str(device)
    assert device.reason in str(device)
    assert str(device).startswith("cpu " if device.kind == "cpu" else f"cuda:{device.index} ")


@pytest.mark.gpu
def test_a_gpu_is_used_if_there_is_one(run_python):
    assert cuvec.device().kind == "cuda"
    assert run_python(WHICH, CUVEC_DEVICE="auto") == "cuda 0"
    assert run_python(WHICH, CUVEC_DEVICE="cuda") == "cuda 0"


def test_auto_falls_back_to_the_cpu(run_python):
    assert run_python(WHICH, CUVEC_DEVICE="auto", **NO_GPU) == "cpu None"
    assert run_python(WHICH, CUVEC_DEVICE="", **NO_GPU) == "cpu None"


def test_a_driver_that_is_too_old_is_not_used(run_python, fake_driver):
    settings = {"LD_LIBRARY_PATH": str(fake_driver.parent), "FAKE_VERSION": "11040"}
    reason = run_python(WHY, CUVEC_DEVICE="auto", **settings)
    if "without CUDA" in reason:
        pytest.skip(reason)
    assert reason.startswith(
        (
            "cpu the CUDA driver is too old: it knows CUDA 11.4, and 1",
            "cpu the CUDA driver does not start: cudaErrorInsufficientDriver: ",
        )
    )
    errors = run_python(WHY_NOT, CUVEC_DEVICE="cuda", **settings).splitlines()
    assert len(errors) == 3
    assert all(error.startswith("RuntimeError CUVEC_DEVICE is cuda, but ") for error in errors)


def test_the_cpu_can_be_chosen(run_python):
    assert run_python(WHICH, CUVEC_DEVICE="cpu") == "cpu None"


def test_everything_works_on_the_cpu(run_python):
    code = """
    from package import axpy, cuvec, dot
    x, y = cuvec.ones(1000), cuvec.zeros(1000, memory="pinned")
    y.prefetch("device")
    axpy(2, x, y)
    cuvec.dev_sync()
    cuvec.dev_set(0)
    print(dot(x, y), x.__dlpack_device__(), x.cuvec.device)
    """
    assert run_python(code, CUVEC_DEVICE="cpu") == "2000.0 (1, 0) None"


def test_cuda_without_a_gpu_is_an_error_with_a_hint(run_python):
    errors = run_python(WHY_NOT, CUVEC_DEVICE="cuda", **NO_GPU).splitlines()
    assert len(errors) == 3
    for error in errors:
        assert error.startswith("RuntimeError")
        assert "CUVEC_DEVICE" in error


def test_an_invalid_choice_is_an_error_that_names_the_choices(run_python):
    errors = run_python(WHY_NOT, CUVEC_DEVICE="gpu").splitlines()
    assert len(errors) == 3
    for error in errors:
        assert error.startswith("ValueError")
        assert all(word in error for word in ("CUVEC_DEVICE", "auto", "cuda", "cpu"))


def test_the_device_is_chosen_at_the_first_use(run_python):
    code = """
    import os
    from package import cuvec
    os.environ["CUVEC_DEVICE"] = "cpu"
    print(cuvec.device().kind)
    os.environ["CUVEC_DEVICE"] = "nonsense"
    print(cuvec.zeros(3).cuvec.device)
    """
    assert run_python(code, CUVEC_DEVICE="auto").split() == ["cpu", "None"]


def test_devices_are_set_by_number():
    cuvec.dev_set(cuvec.device().index or 0)
    for index in (99, 1 << 20, -1):
        with pytest.raises(ValueError, match=str(index)):
            cuvec.dev_set(index)
    for index in ("0", 0.5, None):
        with pytest.raises(TypeError):
            cuvec.dev_set(index)
    assert cuvec.device().index in (0, None)


def test_dev_sync_can_always_be_called():
    assert cuvec.dev_sync() is None


def contexts_around(function):
    """Return the current context of a new thread before and after a function."""
    driver = ctypes.CDLL("libcuda.so.1")
    seen = []

    def current():
        context = ctypes.c_void_p()
        assert driver.cuCtxGetCurrent(ctypes.byref(context)) == 0
        return context.value

    def run():
        before = current()
        function()
        seen.append((before, current()))

    thread = threading.Thread(target=run)
    thread.start()
    thread.join()
    return seen


@pytest.mark.gpu
@pytest.mark.skipif(sys.platform != "linux", reason="the driver has another name")
@pytest.mark.parametrize("kind", [Dlpack, CudaArrayInterface])
def test_the_first_array_of_another_library_leaves_the_context(kind):
    x = kind(cuvec.ones(1000))
    assert contexts_around(lambda: dot(x, x)) == [(None, None)]


@pytest.mark.gpu
@pytest.mark.skipif(sys.platform != "linux", reason="the driver has another name")
@pytest.mark.parametrize("work", [axpy, dot], ids=lambda function: function.__name__)
def test_calls_leave_the_context(work):
    arrays = cuvec.ones(1000), cuvec.ones(1000)
    arguments = (2, *arrays) if work is axpy else arrays
    assert contexts_around(lambda: work(*arguments)) == [(None, None)]


@pytest.mark.gpu
@pytest.mark.skipif(sys.platform != "linux", reason="the driver has another name")
def test_freeing_an_array_that_was_migrated_leaves_the_context():
    arrays = [cuvec.ones(1 << 20)]
    arrays[0].prefetch("device")
    assert contexts_around(arrays.clear) == [(None, None)]
