"""Exports of arrays: `__cuda_array_interface__`, and over DLPack only elements in the buffer."""

import capsules
import numpy as np
import pytest
from exporters import Exchange
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


CPU = (1, 0)
LARGE = 2**62  # elements of four bytes: 2**64 bytes


def export(block, address, shape, strides, device=CPU, typestr="<f4"):
    return block.dlpack(address, shape, strides, typestr, False, device, True, False)


def round_trip(block, address, shape, strides):
    return np.from_dlpack(Exchange(export(block, address, shape, strides), CPU))


# of a buffer of six float32: the offset in bytes, the shape and the strides
OUTSIDE = {
    "far away": (1 << 40, (1,), (1,)),
    "one element before it": (-4, (6,), (1,)),
    "one element after it": (4, (6,), (1,)),
    "one byte after it": (1, (6,), (1,)),
    "one byte before it": (-1, (6,), (1,)),
    "one element, right after it": (24, (1,), (1,)),
    "0-d, right after it": (24, (), ()),
    "0-d, one byte too far": (21, (), ()),
    "one element too many": (0, (7,), (1,)),
    "one row too many": (0, (4, 2), (2, 1)),
    "far too many": (0, (1 << 20,), (1,)),
    "a stride too large": (0, (6,), (2,)),
    "a stride far too large": (0, (2,), (1 << 20,)),
    "backwards": (0, (6,), (-1,)),
    "backwards, one element too many": (20, (7,), (-1,)),
    "two elements backwards": (0, (2,), (-1,)),
    "three elements backwards": (4, (3,), (-1,)),
    "size and stride overflow": (0, (LARGE,), (LARGE,)),
    "sizes and strides overflow": (0, (LARGE, LARGE), (LARGE, LARGE)),
    "a row of overlapping columns": (0, (4, LARGE), (1, 1)),
    "sizes overflow": (0, (LARGE, 2), (LARGE, 1)),
    "the lowest stride": (0, (2,), (-(2**63),)),
    "the highest stride": (0, (2,), (2**63 - 1,)),
    "strides that add up to zero": (0, (2, 2), (2**61, 2**61)),
    "a stride of 2**64 bytes": (0, (2,), (LARGE,)),
    "a stride of -2**64 bytes": (20, (2,), (-LARGE,)),
    "strides that cancel each other": (0, (2, 2), (LARGE, -LARGE)),
    "a stride and a size of 2**64 bytes": (0, (2**31 + 1,), (2**31,)),
    "a negative size": (0, (-1,), (1,)),
}


@pytest.mark.parametrize("case", OUTSIDE)
def test_an_array_outside_of_the_buffer_is_not_exported(case):
    offset, shape, strides = OUTSIDE[case]
    block = cuvec.ones(6).cuvec
    with pytest.raises(ValueError, match=r"not in the buffer|negative"):
        export(block, block.ptr + offset, shape, strides)


@pytest.mark.parametrize(
    ("typestr", "fits"), [("|u1", 24), ("<f2", 12), ("<f4", 6), ("<f8", 3), ("<c16", 1)]
)
@pytest.mark.parametrize("versioned", [False, True])
def test_elements_have_their_size(typestr, fits, versioned):
    block = cuvec.ones(6).cuvec
    size = np.dtype(typestr).itemsize

    def export_elements(offset, count):
        return block.dlpack(
            block.ptr + offset, (count,), (1,), typestr, False, CPU, versioned, False
        )

    rest = 24 - fits * size
    assert capsules.read(export_elements(rest, fits)).tensor.shape == (fits,)
    for offset, count in ((0, fits + 1), (rest + 1, fits), (24, 1), (24 - size + 1, 1)):
        with pytest.raises(ValueError, match="not in the buffer"):
            export_elements(offset, count)


@pytest.mark.parametrize("address", [0, 1, 2**47, 2**63, 2**64 - 4])
def test_another_address_is_not_exported(address):
    with pytest.raises(ValueError, match="not in the buffer"):
        export(cuvec.ones(4).cuvec, address, (1,), (1,))


@pytest.mark.parametrize(
    ("shape", "strides"),
    [((2, 2), (1,)), ((), (1,)), ((4,), ()), ((2,), (1, 1)), ((1,) * 9, ())],
)
def test_shape_and_strides_have_the_same_length(shape, strides):
    block = cuvec.ones(4).cuvec
    with pytest.raises(ValueError, match="differ in length"):
        export(block, block.ptr, shape, strides)


@pytest.mark.parametrize("device", [(2, 99), (2, 7), (2, -1), (99, 0), (0, 0), (4, 0), (1, 1)])
def test_another_device_is_refused(device):
    block = cuvec.ones(4).cuvec
    with pytest.raises(ValueError, match="not on the device"):
        export(block, block.ptr, (1,), (1,), device)


def test_every_part_of_a_buffer_can_be_exported():
    x = cuvec.asarray(np.arange(6, dtype="f4"))
    block = x.cuvec
    for shape, strides in (((2, 3), (3, 1)), ((6,), (1,)), ((1, 1, 6), (LARGE, 99, 1))):
        y = round_trip(block, block.ptr, shape, strides)
        np.testing.assert_array_equal(y, np.reshape(x, shape))
    np.testing.assert_array_equal(round_trip(block, block.ptr + 20, (6,), (-1,)), x[::-1])
    assert round_trip(block, block.ptr + 20, (), ()) == 5
    assert round_trip(block, 0, (3, 0), (7, 7)).shape == (3, 0)


def test_every_view_can_be_exported():
    x = cuvec.asarray(np.arange(6, dtype="f4").reshape(2, 3))
    for view in (x, x.T, x[::-1, ::-1], x[1:, :0], x[1, 2, ...], np.broadcast_to(x[0, :1], (5, 5))):
        strides = tuple(step // 4 for step in view.strides)
        y = round_trip(x.cuvec, view.__array_interface__["data"][0], view.shape, strides)
        np.testing.assert_array_equal(y, view)


def test_an_array_without_elements_may_have_any_strides():
    block = cuvec.ones(4).cuvec
    tensor = capsules.read(export(block, 0, (LARGE, 0), (LARGE, LARGE))).tensor
    assert (tensor.data, tensor.shape) == (None, (LARGE, 0))
