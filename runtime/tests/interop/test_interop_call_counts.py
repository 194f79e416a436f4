"""How often a call uses the interfaces of other libraries' arrays: in a small call, each use counts."""

import pytest
from exchange import export, exporter_of, functions
from exporters import Logged
from fake_cupy import FAKE_CUPY
from package import axpy, cuvec, dot

DLPACK = ["__dlpack_device__", "__dlpack__"]
INTERFACE = "__cuda_array_interface__"


class InterfaceOnly(Logged):
    __dlpack__ = property()  # as if there were none


@pytest.mark.parametrize("call", [axpy, dot])
def test_dlpacks_methods_are_called_once_for_each_array(call):
    log = []
    x, y = (Logged(cuvec.ones(3), log) for _ in range(2))
    for _ in range(2):
        log.clear()
        call(*([2] if call is axpy else []), x, y)
        assert log == 2 * DLPACK


@pytest.mark.gpu
def test_cuda_array_interface_is_read_once_for_each_array(stream):
    log = []
    x, y = (InterfaceOnly(cuvec.ones(3), log) for _ in range(2))
    axpy(2, x, y, stream=stream)
    assert log == 2 * [INTERFACE]
    cuvec.dev_sync()


def test_with_the_c_exchange_api_only_requires_grad_is_read():
    """Only the array itself knows it."""
    log = []
    arrays = [exporter_of(cuvec.ones(3), functions(export)) for _ in range(2)]
    for array in arrays:
        type(array).requires_grad = Logged.requires_grad
        type(array).__cuda_array_interface__ = Logged.__cuda_array_interface__
        type(array).__dlpack_device__ = Logged.__dlpack_device__
        array.log = log
    for _ in range(2):
        log.clear()
        axpy(2, *arrays)
        assert log == 2 * ["requires_grad"]


def test_cupy_arrays_export_without_a_device_query_or_synchronization(run_python):
    code = """
    x, y = ndarray(cuvec.ones(3), log), ndarray(cuvec.ones(3), log)
    axpy(2, x, y)  # the class is inspected at its first use
    for turn in range(2, 4):
        log.clear()
        axpy(2, x, y)
        assert (y.array == 1 + 2 * turn).all()
        arrays = [it for it in log if it != "stream"]
        assert arrays == 2 * [("__dlpack__", -1)], log
        # once for the arrays' pending work, and with a GPU to see whether a graph is being captured
        assert log.count("stream") in (1, 2), log
    """
    assert run_python(FAKE_CUPY + code.replace("\n    ", "\n")) == ""


def test_subclasses_of_cupys_arrays_are_used_like_other_arrays(run_python):
    code = """
    x, y = Derived(cuvec.ones(3), log), Logged(cuvec.ones(3), log)
    for _ in range(2):
        log.clear()
        axpy(2, x, y)
        arrays = [it for it in log if it != "stream"]  # which may be capturing a graph
        assert arrays == 2 * ["__dlpack_device__", "__dlpack__"], log
        axpy(2, ndarray(cuvec.ones(3), log), y)
    """
    assert run_python(FAKE_CUPY + code.replace("\n    ", "\n")) == ""


def test_cupy_may_be_imported_in_part(run_python):
    """While another thread imports it, an array of another library is passed."""
    code = """
    del cupy.cuda.get_current_stream
    x, y = ndarray(cuvec.ones(3), log), cuvec.ones(3)
    ndarray.__dlpack__ = Logged.__dlpack__
    axpy(2, x, y)
    assert log == ["__dlpack_device__", "__dlpack__"], log
    """
    assert run_python(FAKE_CUPY + code.replace("\n    ", "\n")) == ""


@pytest.mark.parametrize("handle", [None, "x", -1, 2**70])
def test_invalid_streams_of_cupy_are_refused(run_python, handle):
    code = f"""
    Stream.ptr = {handle!r}
    try:
        axpy(2, ndarray(cuvec.ones(3), log), cuvec.ones(3))
    except (TypeError, OverflowError):
        print("refused")
    """
    assert run_python(FAKE_CUPY + code.replace("\n    ", "\n")) == "refused"


def test_unknown_elements_of_cupys_arrays_are_refused(run_python):
    code = """
    from exporters import Capsule

    made = []

    def odd(self, **_):
        made.append(Capsule(b"dltensor_versioned", dtype=(2, 40, 1)))
        return made[-1].capsule

    ndarray.__dlpack__ = odd
    for _ in range(2):
        try:
            axpy(2, ndarray(cuvec.ones(4), log), cuvec.ones(4))
        except TypeError as error:
            print(str(error)[:3])
    """
    assert run_python(FAKE_CUPY + code.replace("\n    ", "\n")).split() == ["x:", "x:"]
