"""The structs of core.h and of cpython.h, member by member."""

from ctypes import (
    POINTER,
    Structure,
    c_char,
    c_char_p,
    c_double,
    c_int32,
    c_int64,
    c_ssize_t,
    c_uint32,
    c_uint64,
    c_void_p,
    py_object,
)

C_CONTIGUOUS = 0x1
WRITABLE = 0x400
ON_GPU = 0x10000
READY = 0x20000


class CoreArray(Structure):
    """`core_array`: an array that a function borrows."""

    _fields_ = (
        ("two", c_int32),
        ("ndim", c_int32),
        ("kind", c_char),
        ("itemsize", c_int32),
        ("flags", c_uint32),
        ("shape", POINTER(c_ssize_t)),
        ("strides", POINTER(c_ssize_t)),
        ("data", c_void_p),
        ("descr", c_void_p),
        ("ready", c_uint64),
    )


class CoreBuffer(Structure):
    """`core_buffer`: memory that the host and the GPU both address."""

    _fields_ = (
        ("array", CoreArray),
        ("nbytes", c_uint64),
        ("device", c_int32),
        ("typestr", c_char * 8),
        ("memory", c_char * 8),
    )


class CoreStream(Structure):
    """`core_stream`: a CUDA stream of the caller's."""

    _fields_ = (("handle", c_uint64),)


class CoreDeviceInfo(Structure):
    """`core_device_info`: where arrays live and functions run."""

    _fields_ = (
        ("index", c_int32),
        ("kind", c_char * 8),
        ("name", c_char * 256),
        ("reason", c_char * 1024),
    )


class CoreMemory(Structure):
    """`core_memory`: bytes of the pool."""

    _fields_ = (("used", c_uint64), ("held", c_uint64))


class CoreNumber(Structure):
    """`core_number`: a number, as an argument and as a result."""

    _fields_ = (
        ("kind", c_int32),
        ("negative", c_int32),
        ("magnitude", c_uint64),
        ("too_large", c_int32),
        ("type", c_char * 28),
        ("real", c_double),
        ("imaginary", c_double),
    )


class CoreParameter(Structure):
    """`core_parameter`: a parameter or a result of a function."""

    _fields_ = (
        ("name", c_char_p),
        ("type", c_char_p),
        ("fallback", c_char_p),
        ("kind", c_int32),
        ("keyword_only", c_int32),
    )


class CoreFunction(Structure):
    """`core_function`: what a file in kernels/ declares."""

    _fields_ = (
        ("name", c_char_p),
        ("signature", c_char_p),
        ("doc", c_char_p),
        ("parameters", POINTER(CoreParameter)),
        ("count", c_int32),
    )


class CoreResult(Structure):
    """`core_result`: a result that the caller does not give."""

    _fields_ = (("place", c_void_p), ("number", CoreNumber))


class CorePyBuffer(Structure):
    """`core_py_buffer`, which is CPython's `Py_buffer`."""

    _fields_ = (
        ("buf", c_void_p),
        ("obj", c_void_p),
        ("len", c_ssize_t),
        ("itemsize", c_ssize_t),
        ("readonly", c_int32),
        ("ndim", c_int32),
        ("format", c_char_p),
        ("shape", POINTER(c_ssize_t)),
        ("strides", POINTER(c_ssize_t)),
        ("suboffsets", POINTER(c_ssize_t)),
        ("internal", c_void_p),
    )


class CorePy(Structure):
    """`core_py`: what the library needs of CPython."""

    _fields_ = (
        ("Py_IncRef", c_void_p),
        ("Py_DecRef", c_void_p),
        ("PyErr_Fetch", c_void_p),
        ("PyErr_NormalizeException", c_void_p),
        ("PyErr_Restore", c_void_p),
        ("PyException_SetTraceback", c_void_p),
        ("PyErr_Occurred", c_void_p),
        ("PyObject_Type", c_void_p),
        ("PyObject_GetAttr", c_void_p),
        ("PyObject_Call", c_void_p),
        ("PyUnicode_InternFromString", c_void_p),
        ("PyObject_Free", c_void_p),
        ("PyObject_CallFunctionObjArgs", c_void_p),
        ("PyType_IsSubtype", c_void_p),
        ("PyType_GenericAlloc", c_void_p),
        ("PyBytes_FromStringAndSize", c_void_p),
        ("PyBytes_AsString", c_void_p),
        ("PyLong_FromLong", c_void_p),
        ("PyLong_AsUnsignedLongLong", c_void_p),
        ("PyLong_AsLongLongAndOverflow", c_void_p),
        ("PyFloat_AsDouble", c_void_p),
        ("PyErr_CheckSignals", c_void_p),
        ("PyGILState_Ensure", c_void_p),
        ("PyGILState_Release", c_void_p),
        ("PyWeakref_NewRef", c_void_p),
        ("PyCapsule_New", c_void_p),
        ("PyCapsule_IsValid", c_void_p),
        ("PyCapsule_GetPointer", c_void_p),
        ("PyCapsule_SetName", c_void_p),
        ("PyImport_GetModuleDict", c_void_p),
        ("PyDict_Size", c_void_p),
        ("get", c_void_p),
        ("none", py_object),
        ("no", py_object),
        ("ndarray", py_object),
        ("array_struct", py_object),
        ("base", py_object),
        ("integer", py_object),
        ("real", py_object),
        ("holder", py_object),
        ("offset", c_int64),
    )
