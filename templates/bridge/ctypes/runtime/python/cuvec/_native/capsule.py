"""DLPack's capsules, by CPython's functions for C.

`ctypes.pythonapi` is shared by everybody: setting `argtypes` there changes other people's calls.
Prototypes make functions of one's own.
"""

from ctypes import PYFUNCTYPE, addressof, c_char, c_int, c_void_p, py_object, pythonapi
from typing import Any

from .library import library

_is_valid = PYFUNCTYPE(c_int, py_object, c_void_p)(("PyCapsule_IsValid", pythonapi))
_pointer = PYFUNCTYPE(c_void_p, py_object, c_void_p)(("PyCapsule_GetPointer", pythonapi))


def _constant(name: str) -> int:
    """Return the address of a text of the library's, which lives longer than any Python object."""
    return addressof(c_char.in_dll(library, name))


# without and with a version
_NAMES = _constant("core_py_dltensor"), _constant("core_py_dltensor_versioned")
_EXCHANGE = _constant("core_py_exchange_api")


def holds_tensor(capsule: Any, versioned: bool) -> bool:
    """Return whether an object is a capsule that nobody took the tensor from."""
    return bool(_is_valid(capsule, _NAMES[versioned]))


def functions(capsule: Any) -> int:
    """Return the address of the functions that a class of arrays offers to C."""
    address: int = _pointer(capsule, _EXCHANGE)
    return address
