"""Number arguments."""

from ctypes import byref
from operator import index
from typing import Any

import numpy as np

from .interpreter import builtin
from .structs import CoreNumber

BOOL, INTEGER, REAL, COMPLEX, NO_NUMBER = range(5)
# they are numbers by their values, not by what their classes offer
ARRAYS = np.ndarray, np.bool_


class Number:
    """A ``const core_number *``: what Python takes for a number, and no text.

    The library refuses what is none, or not of the dtype, when it knows which that is.
    """

    @staticmethod
    def _convert(value: Any) -> Any:
        return byref(_read(value))

    from_param = builtin("core_py_number", _convert)


def _read(value: Any) -> CoreNumber:
    name = type(value).__name__.encode()[:27]
    if isinstance(value, ARRAYS):
        if value.ndim:
            return CoreNumber(NO_NUMBER, type=name)
        value = value.item()
    if hasattr(value, "__index__"):
        return _integer(index(value))
    is_real = hasattr(value, "__float__") and not isinstance(value, np.complexfloating)
    if hasattr(value, "__complex__"):  # real numbers may have it too
        number = complex(value)
        if number.imag or not is_real:
            return CoreNumber(COMPLEX, type=name, real=number.real, imaginary=number.imag)
    if is_real:
        return CoreNumber(REAL, type=name, real=float(value))
    return CoreNumber(NO_NUMBER, type=name)


def _integer(number: int) -> CoreNumber:
    if -(1 << 63) <= number < 1 << 64:
        return CoreNumber(INTEGER, number < 0, abs(number), real=float(number))
    try:
        real = float(number)
    except OverflowError:
        real = float("inf")
    return CoreNumber(INTEGER, number < 0, 0, True, real=real)


def value_of(number: CoreNumber) -> complex:
    """Return a number as Python has it."""
    if number.kind in (BOOL, INTEGER):
        integer = -number.magnitude if number.negative else number.magnitude
        return bool(integer) if number.kind == BOOL else integer
    return complex(number.real, number.imaginary) if number.kind == COMPLEX else number.real
