"""Classes with the buffer protocol.

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
from typing import TypeVar

from .interpreter import OFFSET, kept
from .library import library

T = TypeVar("T")

# of CPython's typeslots.h and structmember.h: parts of its stable ABI
BF_GETBUFFER, TP_MEMBERS, TP_FINALIZE = 1, 72, 80
UNSIGNED_LONG_LONG = 18


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


def exporter(body: type[T]) -> type[T]:
    """Make a class with the buffer protocol out of one without it; a decorator.

    Its instances hold a ``core_buffer *``, as the integer `_buffer`, and delete it at their end.
    They are not subject to cyclic garbage collection, as those of a ``class`` statement are: that
    would delete the buffer while other objects in the cycle may still look at it. There are no
    subclasses.
    """
    members = (Member * 2)(Member(b"_buffer", UNSIGNED_LONG_LONG, OFFSET))
    slots = (Slot * 4)(
        Slot(BF_GETBUFFER, cast(library.core_py_getbuffer, c_void_p)),
        Slot(TP_FINALIZE, cast(library.core_py_finalize, c_void_p)),
        Slot(TP_MEMBERS, cast(members, c_void_p)),
    )
    name = f"{body.__module__}.{body.__qualname__}".encode()
    spec = Spec(name, OFFSET + sizeof(c_void_p), 0, 0, slots)
    kept.append((name, members))  # not every version of CPython copies the names
    from_spec = PYFUNCTYPE(py_object, POINTER(Spec))(("PyType_FromSpec", pythonapi))
    made: type[T] = from_spec(byref(spec))
    for attribute, value in vars(body).items():
        if attribute not in ("__dict__", "__weakref__"):
            setattr(made, attribute, value)
    return made
