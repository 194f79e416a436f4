"""Number arguments."""

from collections.abc import Callable
from ctypes import byref
from operator import index
from typing import Any

from .interpreter import builtin
from .structs import CoreNumber

BOOL, INTEGER, REAL, COMPLEX = range(4)


class Number:
    """A ``const core_number *``: what Python takes for a number, and no text.

    Parameters
    ----------
    name : str
        The parameter's, for messages.
    may_be_complex : bool
        Whether the function takes complex numbers anywhere.
    """

    from_param: Callable[[Any], Any]

    def __init__(self, name: str, may_be_complex: bool) -> None:
        def convert(value: Any) -> Any:
            return byref(_read(name, value, may_be_complex))

        self.from_param = builtin("core_py_number", convert)


def _read(name: str, value: Any, may_be_complex: bool) -> CoreNumber:
    if hasattr(value, "__index__"):
        return _integer(index(value))
    if may_be_complex and hasattr(value, "__complex__"):
        number = complex(value)
        return CoreNumber(COMPLEX, real=number.real, imaginary=number.imag)
    if not hasattr(value, "__float__"):
        raise TypeError(f"{name} must be a number, not {type(value).__name__}")
    return CoreNumber(REAL, type=_name_of(value), real=float(value))


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
