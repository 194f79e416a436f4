"""Requests of a call to another library: how often, and through which of its functions."""

import pytest
from exchange import export, exporter_of, functions
from exporters import Logged
from package import axpy, cuvec, dot

DLPACK = ["__dlpack_device__", "__dlpack__"]
INTERFACE = "__cuda_array_interface__"

# a module that looks like CuPy, and logs how its arrays and streams are used
FAKE_CUPY = """
import sys
import types

from exporters import Logged
from package import axpy, cuvec

log = []
cupy = types.ModuleType("cupy")
cupy.cuda = types.SimpleNamespace()
sys.modules["cupy"] = cupy


class ndarray(Logged):
    def __dlpack__(self, **arguments):
        log.append(("__dlpack__", arguments["stream"]))
        return self.array.__dlpack__(max_version=arguments["max_version"])


class Stream:
    @property
    def ptr(self):
        log.append("stream")
        return 0


class Derived(ndarray):
    def __dlpack__(self, **arguments):
        return Logged.__dlpack__(self, **arguments)


cupy.ndarray, cupy.cuda.get_current_stream = ndarray, Stream
"""


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


C_API = """
import ctypes

from exchange import new_capsule


@ctypes.PYFUNCTYPE(ctypes.c_ssize_t)
def get_current_stream_ptr():
    log.append("C stream")
    return handle


def export_to_c(signature):
    address = ctypes.cast(get_current_stream_ptr, ctypes.c_void_p).value
    module = types.ModuleType("cupy_backends.cuda.stream")
    module.__pyx_capi__ = {"get_current_stream_ptr": new_capsule(address, signature, None)}
    sys.modules[module.__name__] = module


handle = 0
x, y = ndarray(cuvec.ones(3), log), cuvec.ones(3)
"""


@pytest.fixture
def run(run_python):
    """Run code with `export_to_c(signature)`, a CuPy array `x` and an array `y` of the package."""

    def run(code):
        assert run_python(FAKE_CUPY + C_API + code.replace("\n    ", "\n")) == ""

    return run


@pytest.mark.parametrize(
    ("signature", "used"), [("intptr_t (void)", "C stream"), ("int (void)", "stream")]
)
def test_a_function_of_another_signature_is_not_called(run, signature, used):
    run(f"""
    signature = {signature.encode()}  # a capsule does not copy its name
    export_to_c(signature)
    axpy(2, x, y)  # the class is inspected at its first use
    log.clear()
    axpy(2, x, y)
    assert {{("__dlpack__", -1), {used!r}}} == set(log), log
    """)


def test_an_invalid_handle_is_refused(run):
    run("""
    signature = b"intptr_t (void)"
    export_to_c(signature)
    handle = -1
    try:
        axpy(2, x, y)
    except TypeError as error:
        assert "handle" in str(error), error
    else:
        raise AssertionError
    """)
