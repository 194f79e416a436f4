"""Numbers and text for C. What does not fit is refused; ctypes itself would cut it off."""

from ctypes import c_double, c_int32, c_int64, c_uint64
from operator import index
from typing import Any, TypeGuard

from .errors import hide


class Real:
    """A C ``double``: a number that Python can make a float of, and no text."""

    @staticmethod
    def from_param(value: Any) -> c_double:
        try:
            return c_double(value)
        except Exception as error:
            hide(error)
            raise


class _Integer:
    """A C integer of fixed width; ValueError where ctypes would take the number modulo 2**bits."""

    kind: Any
    values: range

    @classmethod
    def from_param(cls, value: Any) -> Any:
        try:
            if index(value) not in cls.values:
                raise ValueError(f"{value} is not from {cls.values[0]} to {cls.values[-1]}")
            return cls.kind(index(value))
        except Exception as error:
            hide(error)
            raise


class Int32(_Integer):
    """A C ``int32_t``."""

    kind = c_int32
    values = range(-(1 << 31), 1 << 31)


class Int64(_Integer):
    """A C ``int64_t``."""

    kind = c_int64
    values = range(-(1 << 63), 1 << 63)


class UInt64(_Integer):
    """A C ``uint64_t``: sizes and addresses."""

    kind = c_uint64
    values = range(1 << 64)


class Text:
    """A C string in UTF-8."""

    @staticmethod
    def from_param(value: Any) -> bytes:
        try:
            if not isinstance(value, str):
                raise TypeError(f"expected a string, not {type(value).__name__}")
            if "\0" in value:
                raise ValueError("a string for C holds no null character")
            return value.encode()
        except Exception as error:
            hide(error)
            raise


def is_unsigned(number: object) -> TypeGuard[int]:
    """Return whether an object is an integer of at most 64 bits, without a sign."""
    return isinstance(number, int) and 0 <= number < 1 << 64
