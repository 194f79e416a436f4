"""What the library has of the interpreter, and the interpreter of the library."""

from collections.abc import Callable
from ctypes import (
    POINTER,
    PYFUNCTYPE,
    Structure,
    byref,
    c_char_p,
    c_int,
    c_void_p,
    cast,
    py_object,
    pythonapi,
)
from typing import Any

import numpy as np

from .exporter import OFFSET, holder, kept
from .library import library, with_gil
from .structs import CorePy

METH_O = 0x8  # of CPython's methodobject.h, a part of its stable ABI
TP_DESCR_GET = 54  # of its typeslots.h


class MethodDef(Structure):
    """`PyMethodDef`."""

    _fields_ = (
        ("name", c_char_p),
        ("function", c_void_p),
        ("flags", c_int),
        ("doc", c_char_p),
    )


def start() -> None:
    """Hand over what the library needs."""
    names = [field[0] for field in CorePy._fields_ if field[0].startswith("Py")]
    python = CorePy(*(cast(getattr(pythonapi, name), c_void_p) for name in names))
    attributes = vars(np.ndarray)
    python.array_struct, python.base = attributes["__array_struct__"], attributes["base"]
    python.get = _slot(type(python.base), TP_DESCR_GET)
    python.none, python.no, python.ndarray = None, False, np.ndarray
    python.integer, python.real = int, float
    python.holder, python.offset = holder(), OFFSET
    with_gil("core_py_start", None, POINTER(CorePy))(byref(python))
    kept.append(python)


def builtin(name: str, first: object) -> Callable[[Any], Any]:
    """Return a built-in function of one argument.

    Its body is a function of the library, which gets the object `first` as well.
    """
    body = cast(getattr(library, name), c_void_p)
    method = MethodDef(name.encode(), body, METH_O, None)
    kept.append(method)
    made: Callable[[Any], Any] = _new(byref(method), first, None)
    return made


def converter(function: Callable[[Any], Any]) -> Callable[[Any], Any]:
    """Return a `from_param` that calls a function, and whose exceptions are not lost."""
    return builtin("core_py_convert", function)


_slot = PYFUNCTYPE(c_void_p, py_object, c_int)(("PyType_GetSlot", pythonapi))
_new = PYFUNCTYPE(py_object, POINTER(MethodDef), py_object, c_void_p)(
    ("PyCFunction_NewEx", pythonapi)
)
start()
