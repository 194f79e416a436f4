"""DLPack's capsules, by CPython's functions for C.

`ctypes.pythonapi` is shared by everybody: setting `argtypes` there changes other people's calls.
Prototypes make functions of one's own.
"""

from ctypes import PYFUNCTYPE, addressof, c_char, c_int, c_void_p, cast, py_object, pythonapi
from typing import TYPE_CHECKING, Any

from .library import library

if TYPE_CHECKING:
    from typing_extensions import CapsuleType

_new = PYFUNCTYPE(py_object, c_void_p, c_void_p, c_void_p)(("PyCapsule_New", pythonapi))
_is_valid = PYFUNCTYPE(c_int, py_object, c_void_p)(("PyCapsule_IsValid", pythonapi))
_pointer = PYFUNCTYPE(c_void_p, py_object, c_void_p)(("PyCapsule_GetPointer", pythonapi))
_set_name = PYFUNCTYPE(c_int, py_object, c_void_p)(("PyCapsule_SetName", pythonapi))


def _constant(name: str) -> int:
    """Return the address of a text of the library's, which lives longer than any Python object."""
    return addressof(c_char.in_dll(library, name))


# without and with a version
_NAMES = _constant("core_py_dltensor"), _constant("core_py_dltensor_versioned")
_USED = _constant("core_py_used_dltensor"), _constant("core_py_used_dltensor_versioned")
_DESTROY = cast(library.core_py_destroy_capsule, c_void_p)


def holds_tensor(capsule: Any, versioned: bool) -> bool:
    """Return whether an object is a capsule that nobody took the tensor from."""
    return bool(_is_valid(capsule, _NAMES[versioned]))


def take(capsule: Any, versioned: bool) -> int:
    """Take the tensor out of a capsule: return its address."""
    address: int = _pointer(capsule, _NAMES[versioned])
    _set_name(capsule, _USED[versioned])
    return address


def functions(capsule: Any) -> int:
    """Return the address of the functions that a class of arrays offers to C."""
    address: int = _pointer(capsule, b"dlpack_exchange_api")
    return address


def make(managed: int, versioned: bool) -> "CapsuleType":
    """Return a capsule that owns a tensor of the library's."""
    capsule: CapsuleType = _new(managed, _NAMES[versioned], _DESTROY)
    return capsule
