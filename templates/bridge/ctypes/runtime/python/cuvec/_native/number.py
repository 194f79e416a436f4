"""Number arguments."""

from collections.abc import Callable
from ctypes import byref
from operator import index
from typing import Any

import numpy as np

from .interpreter import builtin
from .structs import CoreNumber

BOOL, INTEGER, REAL, COMPLEX, NO_NUMBER = range(5)


class Number:
    """A ``const core_number *``. What is no number is for the function to refuse, which knows why.

    Parameters
    ----------
    may_be_complex : bool
        Whether the function takes complex numbers anywhere.
    """

    from_param: Callable[[Any], Any]

    def __init__(self, may_be_complex: bool) -> None:
        self.from_param = builtin(
            "core_py_number", lambda value: byref(_read(value, may_be_complex))
        )


def _read(value: Any, may_be_complex: bool) -> CoreNumber:
    if isinstance(value, np.bool_):  # the one integer of NumPy's without `__index__`
        return _integer(int(value))
    integer = _index(value)
    if integer is not None:
        return _integer(integer)
    if may_be_complex and _is_complex(value):
        number = complex(value)
        return CoreNumber(COMPLEX, type=_name_of(value), real=number.real, imaginary=number.imag)
    if not hasattr(value, "__float__"):
        return CoreNumber(NO_NUMBER, type=_name_of(value))
    return CoreNumber(REAL, type=_name_of(value), real=float(value))


def _is_complex(value: Any) -> bool:
    if isinstance(value, complex | np.complexfloating):
        return True
    return hasattr(value, "__complex__") and not hasattr(value, "__float__")


def _index(value: Any) -> int | None:
    if not hasattr(value, "__index__"):
        return None
    try:
        return index(value)
    except TypeError:
        if hasattr(value, "__float__"):  # an array of one float
            return None
        raise


def _name_of(value: Any) -> bytes:
    return type(value).__name__.encode()[:27]


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
