"""Numbers and text for C. What does not fit is refused; ctypes itself would cut it off."""

from collections.abc import Callable
from ctypes import c_double, c_int32, c_int64, c_uint64
from functools import lru_cache
from operator import index
from struct import Struct
from typing import Any, SupportsIndex, TypeGuard

from .interpreter import converter


class Real:
    """A C ``double``: a number that Python can make a float of, and no text."""

    from_param = converter(c_double)  # its own `from_param` forgets what a `__float__` raises


def _integer(kind: Any, values: range) -> Callable[[Any], Any]:
    """Return a `from_param`; ValueError where ctypes would take the number modulo 2**bits."""

    def convert(value: SupportsIndex) -> Any:
        number = index(value)
        if number not in values:
            raise ValueError(f"{number} is not from {values[0]} to {values[-1]}")
        return kind(number)

    return converter(convert)


class Int32:
    """A C ``int32_t``."""

    values = range(-(1 << 31), 1 << 31)
    from_param = _integer(c_int32, values)


class Int64:
    """A C ``int64_t``."""

    from_param = _integer(c_int64, range(-(1 << 63), 1 << 63))


class UInt64:
    """A C ``uint64_t``: sizes and addresses."""

    from_param = _integer(c_uint64, range(1 << 64))


def _encoded(text: object) -> bytes:
    if not isinstance(text, str):
        raise TypeError(f"expected a string, not {type(text).__name__}")
    if "\0" in text:
        raise ValueError("a string for C holds no null character")
    return text.encode()


class Flag:
    """A C ``int32_t`` that is 0 or 1: the truth of an object."""

    from_param = converter(bool)


class Count:
    """A C ``int32_t``: the length of a sequence in memory, which is given itself."""

    from_param = converter(len)


class Text:
    """A C string in UTF-8."""

    from_param = converter(lru_cache(_encoded))  # few different ones are asked for again and again
    explain = staticmethod(_encoded)


@lru_cache
def _packer(n: int) -> Callable[..., bytes]:
    return Struct(f"{n}q").pack


class Extents:
    """A C array of ``int64_t``: a tuple of integers."""

    from_param = converter(lambda value: _packer(len(value))(*value))

    @staticmethod
    def explain(value: tuple[SupportsIndex, ...]) -> None:
        for n in map(index, value):
            if n < 0:
                raise ValueError(f"an extent of {n} is negative")
            if n >= 1 << 63:
                raise ValueError(f"an extent of {n} is larger than the address space")


def is_unsigned(number: object) -> TypeGuard[int]:
    """Return whether an object is an integer of at most 64 bits, without a sign."""
    return isinstance(number, int) and 0 <= number < 1 << 64
