"""DLPack's structures, to inspect capsules without a library that consumes them."""

import ctypes

READ_ONLY, IS_COPIED = 1, 2
USED = {b"dltensor": b"used_dltensor", b"dltensor_versioned": b"used_dltensor_versioned"}
CODES = {"i": 0, "u": 1, "f": 2, "c": 5, "b": 6}


class Device(ctypes.Structure):
    _fields_ = (("type", ctypes.c_int32), ("index", ctypes.c_int32))


class DataType(ctypes.Structure):
    _fields_ = (("code", ctypes.c_uint8), ("bits", ctypes.c_uint8), ("lanes", ctypes.c_uint16))


class Tensor(ctypes.Structure):
    _fields_ = (
        ("data", ctypes.c_void_p),
        ("device", Device),
        ("ndim", ctypes.c_int32),
        ("dtype", DataType),
        ("shape_", ctypes.POINTER(ctypes.c_int64)),
        ("strides_", ctypes.POINTER(ctypes.c_int64)),
        ("byte_offset", ctypes.c_uint64),
    )

    @property
    def shape(self):
        return tuple(self.shape_[: self.ndim])

    @property
    def strides(self):
        return tuple(self.strides_[: self.ndim])


class Legacy(ctypes.Structure):
    name = b"dltensor"
    _fields_ = (("tensor", Tensor), ("context", ctypes.c_void_p), ("deleter", ctypes.c_void_p))


class Versioned(ctypes.Structure):
    name = b"dltensor_versioned"
    _fields_ = (
        ("major", ctypes.c_uint32),
        ("minor", ctypes.c_uint32),
        ("context", ctypes.c_void_p),
        ("deleter", ctypes.c_void_p),
        ("flags", ctypes.c_uint64),
        ("tensor", Tensor),
    )


def function(name, result, *arguments):
    prototype = ctypes.PYFUNCTYPE(result, *arguments)
    return prototype((name, ctypes.pythonapi))


is_valid = function("PyCapsule_IsValid", ctypes.c_int, ctypes.py_object, ctypes.c_char_p)
pointer = function("PyCapsule_GetPointer", ctypes.c_void_p, ctypes.py_object, ctypes.c_char_p)
set_name = function("PyCapsule_SetName", ctypes.c_int, ctypes.py_object, ctypes.c_char_p)


def read(capsule):
    """Return the structure in a capsule, with a reference to the capsule."""
    kind = Versioned if is_valid(capsule, Versioned.name) else Legacy
    managed = kind.from_address(pointer(capsule, kind.name))
    managed.capsule = capsule
    return managed


def consume(capsule):
    """Consume a capsule: return the addresses of its deleter and of its structure."""
    managed = read(capsule)
    set_name(capsule, USED[managed.name])
    return managed.deleter, ctypes.addressof(managed)
