"""A base class with the buffer protocol.

Python code can write `__buffer__` from 3.12 on only. CPython's functions for C can make a class
with it on every version, and ctypes can call them; the slots are functions of the library.
"""

from ctypes import (
    POINTER,
    PYFUNCTYPE,
    Structure,
    byref,
    c_char_p,
    c_int,
    c_ssize_t,
    c_uint,
    c_void_p,
    cast,
    py_object,
    pythonapi,
    sizeof,
)
from typing import Any

from .library import library, with_gil
from .structs import CorePy

# of CPython's typeslots.h, structmember.h and object.h: parts of its stable ABI
BF_GETBUFFER, TP_MEMBERS, TP_FINALIZE = 1, 72, 80
UNSIGNED_LONG_LONG = 18
BASE_CLASS = 1 << 10


class Member(Structure):
    """`PyMemberDef`."""

    _fields_ = (
        ("name", c_char_p),
        ("type", c_int),
        ("offset", c_ssize_t),
        ("flags", c_int),
        ("doc", c_char_p),
    )


class Slot(Structure):
    """`PyType_Slot`."""

    _fields_ = (("slot", c_int), ("function", c_void_p))


class Spec(Structure):
    """`PyType_Spec`."""

    _fields_ = (
        ("name", c_char_p),
        ("size", c_int),
        ("item_size", c_int),
        ("flags", c_uint),
        ("slots", POINTER(Slot)),
    )


def make_class(name: str) -> Any:
    """Make a class whose instances hold a ``core_buffer *``, as the integer `_buffer`."""
    offset = object.__basicsize__
    members = (Member * 2)(Member(b"_buffer", UNSIGNED_LONG_LONG, offset))
    slots = (Slot * 4)(
        Slot(BF_GETBUFFER, cast(library.core_py_getbuffer, c_void_p)),
        Slot(TP_FINALIZE, cast(library.core_py_finalize, c_void_p)),
        Slot(TP_MEMBERS, cast(members, c_void_p)),
    )
    size = offset + sizeof(c_void_p)
    spec = Spec(f"{__name__}.{name}".encode(), size, 0, BASE_CLASS, slots)
    _start(offset)
    from_spec = PYFUNCTYPE(py_object, POINTER(Spec))(("PyType_FromSpec", pythonapi))
    _kept.extend((members, slots, spec))
    return from_spec(byref(spec))


def _start(offset: int) -> None:
    names = [name for name, _ in CorePy._fields_ if name.startswith("Py")]
    addresses = [cast(getattr(pythonapi, name), c_void_p) for name in names]
    with_gil("core_py_start", None, POINTER(CorePy))(byref(CorePy(*addresses, offset)))


_kept: list[object] = []  # the name and doc strings of a class are not copied by all versions

#: Holds the address of a `core_buffer` in `_buffer`, and deletes it at its end.
Exporter = make_class("Exporter")
