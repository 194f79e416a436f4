"""No number that Python code gives becomes memory: what is not in an array's block is refused."""

import numpy as np
import pytest
from package import core, cuvec, dot, module

CPU = (1, 0)
LARGE = 2**62


def export(block, address, shape, strides, device=CPU, typestr="<f4"):
    return block.dlpack(address, shape, strides, typestr, False, device, True, False)


@pytest.mark.parametrize(
    ("offset", "shape", "strides"),
    [
        (1 << 40, (1,), (1,)),
        (-4, (1,), (1,)),
        (0, (1 << 20,), (1,)),
        (0, (2,), (1 << 20,)),
        (0, (2,), (-1,)),
        (4, (3,), (-1,)),
        (0, (LARGE,), (LARGE,)),
        (0, (LARGE, LARGE), (LARGE, LARGE)),
        (0, (4, LARGE), (1, 1)),
        (0, (2,), (-(2**63),)),
        (0, (2, 2), (2**61, 2**61)),
        (0, (-1,), (1,)),
    ],
)
def test_an_array_outside_of_its_block_is_not_exported(offset, shape, strides):
    block = cuvec.ones(4).cuvec
    with pytest.raises(ValueError, match=r"not in the buffer|negative"):
        export(block, block.ptr + offset, shape, strides)


@pytest.mark.parametrize("address", [0, 1, 2**47, 2**63, 2**64 - 4])
def test_an_address_of_something_else_is_not_exported(address):
    with pytest.raises(ValueError, match="not in the buffer"):
        export(cuvec.ones(4).cuvec, address, (1,), (1,))


@pytest.mark.parametrize(
    ("shape", "strides"), [((2, 2), (1,)), ((), (1,)), ((4,), ()), ((1,) * 9, ())]
)
def test_shape_and_strides_have_one_length(shape, strides):
    block = cuvec.ones(4).cuvec
    with pytest.raises(ValueError, match="differ in length"):
        export(block, block.ptr, shape, strides)


@pytest.mark.parametrize("device", [(2, 99), (2, -1), (99, 0), (0, 0), (4, 0)])
def test_a_block_is_on_no_other_device(device):
    block = cuvec.ones(4).cuvec
    with pytest.raises(ValueError, match="not on the device"):
        export(block, block.ptr, (1,), (1,), device)


def test_what_is_in_the_block_is_exported():
    x = cuvec.asarray(np.arange(6, dtype="f4").reshape(2, 3))
    for view in (x, x.T, x[::-1, ::-1], x[1:, :0], x[1, 2, ...], np.broadcast_to(x[0, :1], (5, 5))):
        strides = tuple(step // 4 for step in view.strides)
        capsule = export(x.cuvec, view.__array_interface__["data"][0], view.shape, strides)
        exporter = type("Own", (), {"__dlpack__": lambda *_, it=capsule, **__: it})()
        exporter.__class__.__dlpack_device__ = lambda *_: CPU
        np.testing.assert_array_equal(np.from_dlpack(exporter), view)


@pytest.mark.filterwarnings("ignore:nanobind")
def test_a_buffer_without_memory_is_none():
    for make in (core.Buffer.__new__, object.__new__):
        try:
            block = make(core.Buffer)
        except TypeError:
            continue
        for use in (memoryview, lambda it: dot(it, it), lambda it: it.shape, core.Buffer.wait):
            with pytest.raises((TypeError, ValueError, BufferError, SystemError)):
                use(block)


@pytest.mark.parametrize(
    ("source", "cls", "memory"),
    [
        (np.full(3, None), cuvec.CuVec, "managed"),
        (np.zeros(3, [("a", "O")]), cuvec.CuVec, "managed"),
        (np.zeros(3), np.ndarray, "managed"),
        (np.zeros(3), 7, "managed"),
        ([1, 2], cuvec.CuVec, "managed"),
    ],
)
def test_pickles_of_something_else_are_refused(source, cls, memory):
    with pytest.raises(TypeError):
        module.cuvec.copying.restore(source, cls, memory)


def test_no_function_takes_a_number_for_an_array(run_python):
    """Everything that native code offers is called with numbers; only exceptions come of it."""
    code = """
    import contextlib
    import itertools
    from package import core, cuvec

    block = cuvec.ones(4).cuvec
    numbers = [0, 1, 8, 2**47, 2**64 - 8, -1]
    functions = [getattr(core, name) for name in dir(core) if not name.startswith("__")]
    functions += [getattr(block, name) for name in dir(block) if not name.startswith("__")]
    for function in filter(callable, functions):
        for count in range(5):
            for arguments in itertools.product(numbers, repeat=min(count, 3)):
                with contextlib.suppress(Exception):
                    function(*arguments, *[7] * (count - 3))
    print(cuvec.ones(4).sum())
    """
    assert run_python(code) == "4.0"
