"""Positional and keyword arguments, and the messages for those that match no parameter."""

import re

import numpy as np
import package
import pytest
from errors import exactly
from exporters import Capsule, Exchange, Interface
from package import axpy, core, cuvec, dot, first, gemv, iota, pieces, smooth, swap

MISMATCHES = {
    "nothing": (axpy, (), {}, "missing required argument 'a'"),
    "one of three": (axpy, (1,), {}, "missing required argument 'x'"),
    "the last by name": (axpy, (1,), {"y": 1}, "missing required argument 'x'"),
    "too many": (axpy, (1, 2, 3, 4), {}, "takes 3 arguments by position, not 4"),
    "one too many of one": (first, (1, 2), {}, "takes 1 argument by position, not 2"),
    "twice": (axpy, (1, 2, 3), {"x": 2}, "got multiple values for argument 'x'"),
    "unknown": (axpy, (1, 2), {"y": 3, "größe": 4}, "got an unexpected keyword argument 'größe'"),
    "cut off": (
        axpy,
        (1, 2, 3),
        {"strea": 0},
        "got an unexpected keyword argument 'strea'; did you mean 'stream'?",
    ),
    "too long": (
        axpy,
        (1, 2, 3),
        {"streams": 0},
        "got an unexpected keyword argument 'streams'; did you mean 'stream'?",
    ),
    "a letter": (
        iota,
        (3,),
        {"strat": 0},
        "got an unexpected keyword argument 'strat'; did you mean 'start'?",
    ),
    "a beginning": (
        iota,
        (3,),
        {"sta": 0},
        "got an unexpected keyword argument 'sta'; did you mean 'start'?",
    ),
    "two letters of three": (
        dot,
        (1, 2),
        {"iou": 0},
        "got an unexpected keyword argument 'iou'",
    ),
    "no results, no out": (axpy, (1, 2, 3), {"out": 0}, "got an unexpected keyword argument 'out'"),
    "no text": (
        axpy,
        (1, 2),
        {"\ud800": 4},
        "got an unexpected keyword argument '\ufffd\ufffd\ufffd'",
    ),
    "positional out": (dot, (1, 2, 3), {}, "takes 2 arguments by position, not 3"),
    "a positional keyword": (gemv, (1, 2, 3), {}, "takes 2 arguments by position, not 3"),
    "a missing keyword": (iota, (3,), {}, "missing required argument 'start'"),
}


@pytest.mark.parametrize("case", MISMATCHES)
def test_calls_that_do_not_match_the_signature(case):
    function, positional, named, why = MISMATCHES[case]
    name = f"{function.__name__}()"
    with pytest.raises(TypeError, match=exactly(f"{name} {why}")):
        function(*positional, **named)


@pytest.mark.parametrize("positional", range(4))
def test_arguments_by_position_and_by_name(positional):
    x, y = cuvec.ones(3), cuvec.ones(3)
    values = {"a": 2, "x": x, "y": y}
    by_position = [values.pop(name) for name in list(values)[:positional]]
    axpy(*by_position, stream=None, **dict(reversed(values.items())))
    assert y.tolist() == [3] * 3


def test_names_need_not_be_the_same_object():
    x = cuvec.ones(3)
    assert dot(**{"xx"[:1]: x, "yy"[:1]: x}) == 3


def test_none_is_the_default_of_out_and_stream():
    assert dot(cuvec.ones(3), cuvec.ones(3), out=None, stream=None) == 3
    np.testing.assert_array_equal(iota(2, start=5, out=None), [5, 4])


NO_ARRAYS = [(1, "int"), (None, "NoneType"), ([1.0] * 3, "list"), ("text", "str"), (1j, "complex")]


@pytest.mark.parametrize(("argument", "name"), NO_ARRAYS, ids=[name for _, name in NO_ARRAYS])
@pytest.mark.parametrize("position", [0, 1])
def test_other_objects_than_arrays_are_refused(argument, name, position):
    arguments = [cuvec.ones(3), cuvec.ones(3)]
    arguments[position] = argument
    which = "xy"[position]
    message = f"{which} must be an array, not {name}; "
    read = message + f"pass numpy.asarray({which}) or cuvec.asarray({which})"
    with pytest.raises(TypeError, match=exactly(read)):
        dot(*arguments)
    written = "it is written to, so make it an array first: "
    written = message + written + f"{which} = numpy.asarray({which})"
    with pytest.raises(TypeError, match=exactly(written)):
        swap(*arguments)


@pytest.mark.parametrize("array", [np.ones(3), cuvec.ones(3), np.ones((1, 1))])
def test_an_array_is_not_a_scalar(array):
    y = cuvec.ones(3)
    with pytest.raises(TypeError, match=r"number|scalar"):
        axpy(array, cuvec.ones(3), y)
    with pytest.raises(TypeError, match=r"integer|scalar"):
        iota(array, start=0)
    assert y.tolist() == [1] * 3


@pytest.mark.parametrize("count", [0, 1, 3, 5])
def test_out_needs_an_array_for_each_of_several_results(count):
    for kind in (tuple, list):
        with pytest.raises(TypeError, match=exactly("out must be a tuple of 4 arrays")):
            pieces(cuvec.zeros(4, "i4"), out=kind(cuvec.zeros(3, "i4") for _ in range(count)))
    with pytest.raises(TypeError, match=exactly("out must be a tuple of 4 arrays")):
        pieces(cuvec.zeros(4, "i4"), out=cuvec.zeros(3, "i4"))


@pytest.mark.parametrize("out", [1.0, [0.0], "text", [np.ones(())]])
def test_out_must_be_an_array(out):
    message = f"out must be an array, not {type(out).__name__}; "
    message += "pass an array to write the result to, or None for a new one"
    with pytest.raises(TypeError, match=exactly(message)):
        dot(cuvec.ones(3), cuvec.ones(3), out=out)


@pytest.mark.parametrize("out", [(), (np.ones(()),), (0.0, 0.0)])
def test_out_of_one_result_is_no_tuple(out):
    message = "out must be an array, not tuple; the function has one result: pass its array alone"
    with pytest.raises(TypeError, match=exactly(message)):
        dot(cuvec.ones(3), cuvec.ones(3), out=out)


def test_an_array_for_one_of_several_results():
    message = "not list; pass an array to write the result to, or None for a new one"
    with pytest.raises(TypeError, match=re.escape(message) + "$"):
        pieces(cuvec.zeros(4, "i4"), out=(None, [0], None, None))


SUPPORTED = "use bool, an integer, a float of 64 bits or fewer, complex64 or complex128, in native byte order"


INTERFACE = {"shape": (3,), "typestr": "<f16", "data": (0, False), "version": 2}


class Quadruples(Exchange):
    """Floats of 128 bits, over DLPack."""

    def __init__(self):
        self.owner = Capsule(b"dltensor_versioned", dtype=(2, 128, 1))
        super().__init__(self.owner.capsule, (1, 0))


def texts_of_any_length():
    dtypes = pytest.importorskip("numpy.dtypes")
    if not hasattr(dtypes, "StringDType"):
        pytest.skip(f"NumPy {np.__version__} has no StringDType")
    return np.array(["x"], dtypes.StringDType())


UNSUPPORTED = {
    "numpy": (lambda: np.ones(3, "M8[s]"), "M8|datetime64"),
    "a date": (lambda: np.datetime64("2026-01-01"), "datetime64"),
    "a span of time": (lambda: np.timedelta64(1, "s"), "timedelta64"),
    "a record": (lambda: np.void(b"abc"), "V3"),
    "texts": (lambda: np.array(["x"]), "U1"),
    "texts of any length": (texts_of_any_length, "StringDType"),
    "swapped": (lambda: np.ones(3, ">f4"), ">f4|swapped f4"),
    "subclass": (lambda: cuvec.ones(3).view(">f4"), ">f4|swapped f4"),
    "buffer": (lambda: memoryview(b"abc").cast("c"), 'format "c"'),
    "interface": (lambda: Interface(INTERFACE), 'type "<f16"'),
    "dlpack": (Quadruples, "128 bits"),
}


def refused(name, dtype):
    message = rf"^{name}: arrays of .*({dtype}).* are not supported; {re.escape(SUPPORTED)}$"
    return pytest.raises(TypeError, match=message)


@pytest.mark.parametrize(("make", "dtype"), UNSUPPORTED.values(), ids=UNSUPPORTED)
def test_the_error_names_the_argument(make, dtype):
    x = cuvec.ones(3)
    with refused("x", dtype) as raised:
        dot(make(), x)
    assert raised.type is TypeError
    with refused("y", dtype):
        axpy(1, x, make())
    with refused("y", dtype):
        axpy(a=1, y=make(), x=x)
    with refused("out", dtype):
        smooth(x, out=make())


def test_assign_names_the_argument_too():
    x = cuvec.ones(3)
    with refused("y", ">f4|swapped f4"):
        core.assign(x, np.ones(3, ">f4"))


def test_the_message_without_an_argument():
    message = f'^arrays of type ">f4" are not supported; {re.escape(SUPPORTED)}$'
    with pytest.raises(TypeError, match=message):
        core.Buffer((3,), ">f4", "managed", False)


@pytest.mark.function("many")
def test_as_many_arguments_as_there_can_be():
    scalars, arrays = np.arange(26.0), [np.arange(5.0) * factor for factor in range(1, 6)]
    expected = scalars.sum() + sum(arrays)
    np.testing.assert_array_equal(package.module.many(*scalars, *arrays), expected)
    last = "the_last_of_all_arguments_whose_name_has_as_many_letters_as_any"
    y = package.module.many(*scalars, *arrays[:4], **{last: arrays[4]}, out=np.zeros(5))
    np.testing.assert_array_equal(y, expected)
    with pytest.raises(TypeError, match=last):
        package.module.many(*scalars, *arrays[:4])
