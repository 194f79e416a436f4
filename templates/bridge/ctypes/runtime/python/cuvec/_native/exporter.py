"""Classes whose slots are functions of the library.

Python code can write `__buffer__` from 3.12 on only. CPython's functions for C can make a class
with it on every version, and ctypes can call them.
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
from typing import Any, TypeVar

from .library import library

T = TypeVar("T")

# of CPython's typeslots.h and structmember.h: parts of its stable ABI
BF_GETBUFFER, TP_DEALLOC, TP_MEMBERS = 1, 52, 72
UNSIGNED_LONG_LONG, READ_ONLY = 18, 1
OFFSET = object.__basicsize__  # of what an object of such a class has of its own

kept: list[object] = []  # what CPython and the library have pointers to


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


def _make(name: bytes, size: int, slots: Any, *bases: type) -> Any:
    spec = Spec(name, size, 0, 0, slots)
    kept.append(name)  # not every version of CPython copies it
    from_spec = PYFUNCTYPE(py_object, POINTER(Spec), py_object)(
        ("PyType_FromSpecWithBases", pythonapi)
    )
    return from_spec(byref(spec), bases or (object,))


def holder() -> Any:
    """Make the class of arguments that hold an array: the bytes of a `core_array`."""
    slots = (Slot * 2)(Slot(TP_DEALLOC, cast(library.core_py_let_go, c_void_p)))
    return _make(f"{__name__}.Holder".encode(), 0, slots, bytes)


def exporter(body: type[T]) -> type[T]:
    """Make a class with the buffer protocol out of one without it; a decorator.

    Its instances hold a ``core_buffer *``, as the integer `_buffer`, and delete it at their end.
    They are not subject to cyclic garbage collection, as those of a ``class`` statement are: that
    would delete the buffer while other objects in the cycle may still look at it. There are no
    subclasses, and no `__del__` that could be called.
    """
    members = (Member * 2)(Member(b"_buffer", UNSIGNED_LONG_LONG, OFFSET, READ_ONLY))
    slots = (Slot * 4)(
        Slot(BF_GETBUFFER, cast(library.core_py_getbuffer, c_void_p)),
        Slot(TP_DEALLOC, cast(library.core_py_dealloc, c_void_p)),
        Slot(TP_MEMBERS, cast(members, c_void_p)),
    )
    name = f"{body.__module__}.{body.__qualname__}".encode()
    kept.append(members)
    made: type[T] = _make(name, OFFSET + sizeof(c_void_p), slots)
    for attribute, value in vars(body).items():
        if attribute not in ("__dict__", "__weakref__"):
            setattr(made, attribute, value)
    return made
