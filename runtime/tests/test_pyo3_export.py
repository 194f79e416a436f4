"""What `Buffer.dlpack` exports is in the buffer, whatever numbers it is given."""

import numpy as np
import pytest
from package import cuvec

HERE = (1, 0)


class Exporter:
    def __init__(self, block, *arguments):
        self.export = lambda: block.dlpack(*arguments)

    def __dlpack__(self, **_):
        return self.export()

    def __dlpack_device__(self):
        return HERE


def import_again(block, address, shape, strides, typestr="<f4", device=HERE):
    exporter = Exporter(block, address, shape, strides, typestr, False, device, True, False)
    return np.from_dlpack(exporter)


def test_every_part_of_a_buffer_can_be_exported():
    x = cuvec.asarray(np.arange(6, dtype="f4"))
    block = x.cuvec
    np.testing.assert_array_equal(
        import_again(block, block.ptr, (2, 3), (3, 1)), [[0, 1, 2], [3, 4, 5]]
    )
    np.testing.assert_array_equal(import_again(block, block.ptr + 20, (6,), (-1,)), x[::-1])
    assert import_again(block, 0, (3, 0), (7, 7)).shape == (3, 0)


@pytest.mark.parametrize(
    ("offset", "shape", "strides"),
    [
        (-4, (6,), (1,)),
        (4, (6,), (1,)),
        (24, (), ()),
        (0, (7,), (1,)),
        (0, (6,), (2,)),
        (0, (6,), (-1,)),
        (0, (2**62, 2), (2**62, 1)),
        (0, (2,), ()),
        (0, (2,), (1, 1)),
        (0, (-1,), (1,)),
    ],
)
def test_other_memory_is_refused(offset, shape, strides):
    block = cuvec.ones(6, "f4").cuvec
    with pytest.raises(ValueError, match=r"not in the buffer|differ in length|negative"):
        import_again(block, block.ptr + offset, shape, strides)


@pytest.mark.parametrize("device", [(2, 7), (4, 0), (1, 1)])
def test_another_device_is_refused(device):
    block = cuvec.ones(6, "f4").cuvec
    with pytest.raises(ValueError, match="not on the device"):
        import_again(block, block.ptr, (6,), (1,), device=device)
