"""Elements of a type that no array here has: the error names the argument, and what is supported."""

import re

import numpy as np
import pytest
from exporters import Capsule, Exchange, Interface
from package import axpy, core, cuvec, dot, smooth

SUPPORTED = (
    "use bool, an integer, float16, float32, float64, complex64 or complex128, in native byte order"
)


INTERFACE = {"shape": (3,), "typestr": "<f16", "data": (0, False), "version": 2}


class Quadruples(Exchange):
    """Floats of 128 bits, over DLPack."""

    def __init__(self):
        self.owner = Capsule(b"dltensor_versioned", dtype=(2, 128, 1))
        super().__init__(self.owner.capsule, (1, 0))


UNKNOWN = {
    "numpy": (lambda: np.ones(3, "M8[s]"), "M8|datetime64"),
    "swapped": (lambda: np.ones(3, ">f4"), ">f4|swapped f4"),
    "subclass": (lambda: cuvec.ones(3).view(">f4"), ">f4|swapped f4"),
    "buffer": (lambda: memoryview(b"abc").cast("c"), 'format "c"'),
    "interface": (lambda: Interface(INTERFACE), 'type "<f16"'),
    "dlpack": (Quadruples, "128 bits"),
}


def refused(name, what):
    message = rf"^{name}: arrays of .*({what}).* are not supported; {re.escape(SUPPORTED)}$"
    return pytest.raises(TypeError, match=message)


@pytest.mark.parametrize(("make", "what"), UNKNOWN.values(), ids=UNKNOWN)
def test_the_error_names_the_argument(make, what):
    x = cuvec.ones(3)
    with refused("x", what) as raised:
        dot(make(), x)
    assert raised.type is TypeError
    with refused("y", what):
        axpy(1, x, make())
    with refused("y", what):
        axpy(a=1, y=make(), x=x)
    with refused("out", what):
        smooth(x, out=make())


def test_copies_name_it_too():
    x = cuvec.ones(3)
    with refused("y", ">f4|swapped f4"):
        core.assign(x, np.ones(3, ">f4"))


def test_without_an_argument_it_says_what_is_supported():
    message = f'^arrays of type ">f4" are not supported; {re.escape(SUPPORTED)}$'
    with pytest.raises(TypeError, match=message):
        core.Buffer((3,), ">f4", "managed", False)
