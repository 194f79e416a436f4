"""Invalid arguments: the error that is raised, and that nothing else happens."""

import array

import numpy as np
import pytest
from package import address, axpy, core, cuvec, dot


def ones(shape=6, dtype="f4"):
    return cuvec.ones(shape, dtype)


def read_only(x):
    x.flags.writeable = False
    return x


# name: (x, y, error, part of its message), for x and y of axpy and dot
WRONG_DTYPE = {
    "integers": lambda: (ones(6, "i4"), ones(6, "i4")),
    "half": lambda: (ones(6, "e"), ones(6, "e")),
    "bool": lambda: (ones(6, "?"), ones(6, "?")),
    "plain integers": lambda: (np.arange(6), np.arange(6)),
    "complex": lambda: (np.ones(6, "c8"), np.ones(6, "c8")),
    "view as complex": lambda: (ones().view("c8"), ones().view("c8")),
    "objects": lambda: (np.ones(6, "O"), np.ones(6, "O")),
    "text": lambda: (np.full(6, "a"), np.full(6, "a")),
    "records": lambda: (ones().view("f4,f4"), ones().view("f4,f4")),
    "swapped bytes": lambda: (np.ones(6, ">f4"), np.ones(6, ">f4")),
    "view as swapped bytes": lambda: (ones().view(">f4"), ones()),
    "two dtypes": lambda: (ones(6, "f4"), ones(6, "f8")),
    "two dtypes, plain": lambda: (np.ones(6), ones(6, "f4")),
    "array.array of integers": lambda: (array.array("i", [1]), array.array("i", [1])),
    "bytearray": lambda: (bytearray(24), bytearray(24)),
}
NOT_AN_ARRAY = {
    "list": lambda: ([1.0] * 6, ones()),
    "scalar": lambda: (1.0, ones()),
    "None": lambda: (ones(), None),
    "str": lambda: ("123456", ones()),
    "class": lambda: (cuvec.CuVec, ones()),
    "pointer": lambda: (ones().pointer(), ones()),
}
WRONG_SHAPE = {
    "sizes": lambda: (ones(5), ones(6)),
    "ranks": lambda: (ones((2, 3)), ones(6)),
    "transposed": lambda: (ones((2, 3)), ones((3, 2))),
    "0-d": lambda: (ones(6), ones(())),
    "empty": lambda: (ones(0), ones(6)),
    "plain": lambda: (np.ones(5, "f4"), ones(6)),
}


def overlapping(x, offset, size=4):
    return x[:size], x[offset : offset + size]


def shared(share):
    x = ones()
    return x, share(x)


OVERLAP = {
    "the same": lambda: (ones(),) * 2,
    "the same, plain": lambda: (np.ones(6, "f4"),) * 2,
    "parts": lambda: overlapping(ones(), 1),
    "parts the other way": lambda: overlapping(ones(), 1)[::-1],
    "one element": lambda: overlapping(ones(7), 3),
    "parts, plain": lambda: overlapping(np.ones(6, "f4"), 2),
    "array and buffer": lambda: shared(lambda x: x.cuvec),
    "array and NumPy view": lambda: shared(np.asarray),
}
READ_ONLY = {
    "array": lambda: (ones(), read_only(ones())),
    "plain array": lambda: (ones(), read_only(np.ones(6, "f4"))),
    "bytes": lambda: (ones(), memoryview(bytes(24)).cast("f")),
    "repeated": lambda: (ones(1), np.broadcast_to(ones(()), 1, subok=True)),
}
FOR_BOTH = [
    *((case, TypeError, "dtype|type|format", WRONG_DTYPE[case]) for case in WRONG_DTYPE),
    *((case, TypeError, None, NOT_AN_ARRAY[case]) for case in NOT_AN_ARRAY),
    *((case, ValueError, "shape", WRONG_SHAPE[case]) for case in WRONG_SHAPE),
]
FOR_AXPY = [
    *((case, ValueError, "read-only", READ_ONLY[case]) for case in READ_ONLY),
]


def content(argument):
    try:
        return memoryview(argument).tobytes()
    except (TypeError, ValueError):
        return repr(argument)


def check_refused(call, x, y, error, match=None):
    before = content(x), content(y)
    with pytest.raises(error, match=match) as caught:
        call(x, y)
    assert isinstance(error, tuple) or caught.type is error
    assert (content(x), content(y)) == before
    x, y = cuvec.ones(6), cuvec.ones(6)  # later calls work
    axpy(2, x, y)
    assert dot(x, y) == 18


def parameters(cases):
    return pytest.mark.parametrize(
        ("error", "match", "make"), [case[1:] for case in cases], ids=[case[0] for case in cases]
    )


@parameters(FOR_BOTH + FOR_AXPY)
def test_axpy_refuses(make, error, match):
    check_refused(lambda x, y: axpy(2, x, y), *make(), error, match)


@parameters(FOR_BOTH)
def test_dot_refuses(make, error, match):
    check_refused(dot, *make(), error, match)


@pytest.mark.parametrize("make", OVERLAP.values(), ids=OVERLAP)
def test_arrays_that_are_only_read_may_overlap(make):
    x, y = make()
    assert dot(x, y) == len(x)


def test_neighbours_do_not_overlap():
    x = cuvec.ones(8)
    axpy(1, x[:4], x[4:])
    axpy(1, x[4:], x[:4])
    np.testing.assert_array_equal(x, [3] * 4 + [2] * 4)
    axpy(1, x[3:3], x[3:3])


@pytest.mark.skipif(cuvec.device().kind == "cpu", reason="the CPU takes them")
def test_unaligned_elements_are_refused():
    memory = cuvec.zeros(25, "u1")
    x, y = cuvec.ones(6), memory[1:].view("f4")
    message = "y is not aligned; pass a copy that is and copy it back into y$"
    check_refused(lambda x, y: axpy(1, x, y), x, y, ValueError, message)


@pytest.mark.parametrize("a", ["2", None, [2], 1j, np.ones(3)])
def test_factors_that_are_not_scalars_are_refused(a):
    check_refused(lambda x, y: axpy(a, x, y), ones(), ones(), TypeError)


@pytest.mark.parametrize("stream", ["1", 1.5, [], object()])
def test_invalid_streams_are_refused(stream):
    match = r"^stream must be a CUDA stream's handle"
    check_refused(lambda x, y: axpy(1, x, y, stream=stream), ones(), ones(), TypeError, match)
    check_refused(lambda x, y: dot(x, y, stream=stream), ones(), ones(), TypeError, match)


@pytest.mark.parametrize("arguments", [(), (1,), (1, ones()), (1, ones(), ones(), None)])
def test_wrong_numbers_of_arguments_are_refused(arguments):
    with pytest.raises(TypeError):
        axpy(*arguments)


def test_assign_refuses():
    for x, y, error in (
        (ones(5), ones(6), ValueError),
        (ones(6, "i4"), ones(6), TypeError),
        (ones(12)[::2], ones(6), ValueError),
        (ones(6), read_only(ones(6)), ValueError),
    ):
        check_refused(core.assign, x, y, error)


def test_address_refuses_other_objects_than_arrays():
    for argument in (None, 3, [1.0], "text"):
        with pytest.raises(TypeError):
            address(argument)


class Malformed:
    """An exporter with the given interfaces."""

    def __init__(self, **attributes):
        for name, value in attributes.items():
            setattr(self, f"__{name}__", value)


def interface(**changes):
    valid = {"shape": (6,), "typestr": "<f4", "data": (1 << 20, False), "version": 3}
    return Malformed(cuda_array_interface=valid | changes)


MALFORMED = {
    "address of nothing": interface,
    "no entries": lambda: Malformed(cuda_array_interface={}),
    "no dictionary": lambda: Malformed(cuda_array_interface=3),
    "unknown type": lambda: interface(typestr="<x9"),
    "type is a number": lambda: interface(typestr=4),
    "negative shape": lambda: interface(shape=(-6,)),
    "huge shape": lambda: interface(shape=(1 << 62, 1 << 62)),
    "strides of another rank": lambda: interface(strides=(4, 4)),
    "no capsule": lambda: Malformed(dlpack=lambda **_: 42, dlpack_device=lambda: (1, 0)),
    "unknown device": lambda: Malformed(dlpack=lambda **_: 42, dlpack_device=lambda: (99, 0)),
    "device is text": lambda: Malformed(dlpack=lambda **_: 42, dlpack_device=lambda: "cpu"),
    "no device": lambda: Malformed(dlpack=lambda **_: 42),
}


@pytest.mark.parametrize("make", MALFORMED.values(), ids=MALFORMED)
def test_malformed_exporters_are_refused(make):
    errors = (TypeError, ValueError, BufferError, AttributeError)
    check_refused(dot, make(), ones(), errors)
    check_refused(lambda x, y: axpy(1, y, x), make(), ones(), errors)


def test_a_capsule_is_consumed_once():
    capsule = cuvec.ones(6).__dlpack__()
    used = Malformed(dlpack=lambda **_: capsule, dlpack_device=cuvec.ones(6).__dlpack_device__)
    assert dot(used, ones()) == 6
    check_refused(dot, used, ones(), (TypeError, ValueError, BufferError))


def test_errors_of_an_argument_are_passed_on():
    class Broken:
        @property
        def __cuda_array_interface__(self):
            raise RuntimeError("broken on purpose")

    check_refused(dot, Broken(), ones(), RuntimeError, "on purpose")
