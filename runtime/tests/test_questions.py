"""What a call asks of the arrays of other libraries: each question takes a part of a small call."""

import pytest
from exchange import export, exporter_of, functions
from exporters import Asked
from package import axpy, cuvec, dot

DLPACK = ["__dlpack_device__", "__dlpack__"]
INTERFACE = "__cuda_array_interface__"


class InterfaceOnly(Asked):
    __dlpack__ = property()  # as if there was none


@pytest.mark.parametrize("call", [axpy, dot])
def test_methods_are_asked_once_for_each_array(call):
    asked = []
    x, y = (Asked(cuvec.ones(3), asked) for _ in range(2))
    for _ in range(2):
        asked.clear()
        call(*([2] if call is axpy else []), x, y)
        assert asked == 2 * DLPACK


@pytest.mark.gpu
def test_an_interface_is_asked_once_for_each_array(stream):
    asked = []
    x, y = (InterfaceOnly(cuvec.ones(3), asked) for _ in range(2))
    axpy(2, x, y, stream=stream)
    assert asked == 2 * [INTERFACE]
    cuvec.dev_sync()


def test_functions_for_c_leave_one_question():
    """Whether there are gradients, which only the array knows."""
    asked = []
    arrays = [exporter_of(cuvec.ones(3), functions(export)) for _ in range(2)]
    for array in arrays:
        type(array).requires_grad = Asked.requires_grad
        type(array).__cuda_array_interface__ = Asked.__cuda_array_interface__
        type(array).__dlpack_device__ = Asked.__dlpack_device__
        array.asked = asked
    for _ in range(2):
        asked.clear()
        axpy(2, *arrays)
        assert asked == 2 * ["requires_grad"]


CUPY = """
import sys
import types

from exporters import Asked
from package import axpy, cuvec

asked = []
kinds = types.ModuleType("cupy")
kinds.cuda = types.SimpleNamespace()
sys.modules["cupy"] = kinds


class ndarray(Asked):
    def __dlpack__(self, **arguments):
        asked.append(("__dlpack__", arguments["stream"]))
        return self.array.__dlpack__(max_version=arguments["max_version"])


class Stream:
    @property
    def ptr(self):
        asked.append("stream")
        return 0


class Derived(ndarray):
    def __dlpack__(self, **arguments):
        return Asked.__dlpack__(self, **arguments)


kinds.ndarray, kinds.cuda.get_current_stream = ndarray, Stream
"""


def test_cupys_arrays_are_asked_for_no_device_and_no_wait(run_python):
    code = """
    x, y = ndarray(cuvec.ones(3), asked), ndarray(cuvec.ones(3), asked)
    axpy(2, x, y)  # the first one is looked at
    for turn in range(2, 4):
        asked.clear()
        axpy(2, x, y)
        assert (y.array == 1 + 2 * turn).all()
        arrays = [it for it in asked if it != "stream"]
        assert arrays == 2 * [("__dlpack__", -1)], asked
        # For their work, by ctypes for each; and with a GPU, whether a graph is recorded there.
        assert asked.count("stream") in (1, 2, 3), asked
    """
    assert run_python(CUPY + code.replace("\n    ", "\n")) == ""


def test_what_is_made_of_cupys_class_is_asked_as_others_are(run_python):
    code = """
    x, y = Derived(cuvec.ones(3), asked), Asked(cuvec.ones(3), asked)
    for _ in range(2):
        asked.clear()
        axpy(2, x, y)
        arrays = [it for it in asked if it != "stream"]  # which is asked whether it records a graph
        assert arrays == 2 * ["__dlpack_device__", "__dlpack__"], asked
        axpy(2, ndarray(cuvec.ones(3), asked), y)
    """
    assert run_python(CUPY + code.replace("\n    ", "\n")) == ""


def test_cupys_library_may_be_on_its_way(run_python):
    """Another thread imports it, and an array of another library is passed."""
    code = """
    del kinds.cuda.get_current_stream
    x, y = ndarray(cuvec.ones(3), asked), cuvec.ones(3)
    ndarray.__dlpack__ = Asked.__dlpack__
    axpy(2, x, y)
    assert asked == ["__dlpack_device__", "__dlpack__"], asked
    """
    assert run_python(CUPY + code.replace("\n    ", "\n")) == ""


@pytest.mark.parametrize("handle", [None, "x", -1, 2**70])
def test_a_stream_of_cupys_that_is_none_is_refused(run_python, handle):
    code = f"""
    Stream.ptr = {handle!r}
    try:
        axpy(2, ndarray(cuvec.ones(3), asked), cuvec.ones(3))
    except (TypeError, OverflowError):
        print("refused")
    """
    assert run_python(CUPY + code.replace("\n    ", "\n")) == "refused"


def test_elements_of_cupys_that_are_unknown_are_refused(run_python):
    code = """
    from exporters import Capsule

    made = []

    def odd(self, **_):
        made.append(Capsule(b"dltensor_versioned", dtype=(2, 40, 1)))
        return made[-1].capsule

    ndarray.__dlpack__ = odd
    for _ in range(2):
        try:
            axpy(2, ndarray(cuvec.ones(4), asked), cuvec.ones(4))
        except TypeError as error:
            print(str(error)[:3])
    """
    assert run_python(CUPY + code.replace("\n    ", "\n")).split() == ["x:", "x:"]
