"""Unsupported dtypes: the error names the argument and the supported dtypes."""

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


UNSUPPORTED = {
    "numpy": (lambda: np.ones(3, "M8[s]"), "M8|datetime64"),
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
