"""`__cuda_array_interface__`, version 3."""

import numpy as np
import pytest
from package import cuvec

VIEWS = {
    "whole": lambda x: x,
    "slice": lambda x: x[1:3],
    "steps": lambda x: x[::2, ::3],
    "backwards": lambda x: x[::-1, ::-1],
    "transpose": lambda x: x.T,
    "element": lambda x: x[2:3, 1:2],
    "0-d": lambda x: x[:1, :1].reshape(()),
    "broadcast": lambda x: np.broadcast_to(x, (2, 4, 6), subok=True),
}


@pytest.mark.gpu
@pytest.mark.parametrize("memory", ["managed", "pinned"])
@pytest.mark.parametrize("dtype", "?bBhHiIqQefdFD")
@pytest.mark.parametrize("view", VIEWS.values(), ids=VIEWS)
def test_interface_describes_the_view(view, dtype, memory):
    x = view(cuvec.zeros((4, 6), dtype, memory))
    interface = x.__cuda_array_interface__
    assert interface["version"] == 3
    assert interface["shape"] == x.shape
    assert interface["typestr"] == x.dtype.str
    assert interface["data"] == (x.ptr, not x.flags.writeable)
    assert interface["strides"] == (None if x.flags.c_contiguous else x.strides)
    assert interface.get("stream") is None
    assert all(type(n) is int for n in interface["shape"])


@pytest.mark.gpu
def test_strides_count_from_the_first_element():
    x = cuvec.zeros((4, 6))
    interface = x[::-1, 1:].__cuda_array_interface__
    assert interface["data"][0] == x.ptr + 3 * 6 * 4 + 4
    assert interface["strides"] == (-24, 4)


@pytest.mark.gpu
def test_arrays_without_elements_have_no_address():
    for x in (cuvec.zeros((3, 0)), cuvec.zeros(5)[2:2]):
        assert x.__cuda_array_interface__["data"] == (0, False)


@pytest.mark.gpu
def test_read_only_arrays_say_so():
    x = cuvec.zeros(3)
    x.flags.writeable = False
    assert x.__cuda_array_interface__["data"] == (x.ptr, True)


@pytest.mark.gpu
def test_views_as_complex_have_an_interface_and_views_as_records_do_not():
    x = cuvec.zeros(4)
    assert x.view("c8").__cuda_array_interface__["typestr"] == "<c8"
    assert not hasattr(x.view("f4,f4"), "__cuda_array_interface__")


@pytest.mark.gpu
def test_raw_blocks_have_an_interface():
    x = cuvec.zeros((2, 3), "int16")
    interface = x.cuvec.__cuda_array_interface__
    assert (interface["shape"], interface["typestr"]) == ((2, 3), "<i2")
    assert interface["data"] == (x.ptr, False)


def test_no_interface_without_a_gpu(run_python):
    code = """
    from package import cuvec
    x = cuvec.zeros(3)
    for array in (x, x[1:], x.cuvec):
        print(hasattr(array, "__cuda_array_interface__"))
    """
    assert run_python(code, CUVEC_DEVICE="cpu").split() == ["False"] * 3
