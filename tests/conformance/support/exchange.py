"""Arrays with DLPack's C exchange API, as PyTorch's. No pytest here: new processes would load it, too."""

import ctypes
import functools

import capsules

NAME = b"dlpack_exchange_api"  # a capsule does not copy its name
BORROW = ctypes.PYFUNCTYPE(ctypes.c_int, ctypes.py_object, ctypes.POINTER(capsules.Tensor))
EXPORT = ctypes.PYFUNCTYPE(ctypes.c_int, ctypes.py_object, ctypes.POINTER(ctypes.c_void_p))
STREAM = ctypes.PYFUNCTYPE(
    ctypes.c_int, ctypes.c_int32, ctypes.c_int32, ctypes.POINTER(ctypes.c_void_p)
)
DELETER = ctypes.PYFUNCTYPE(None, ctypes.c_void_p)
SET_ERROR = ctypes.PYFUNCTYPE(None, ctypes.c_void_p, ctypes.c_char_p, ctypes.c_char_p)
ALLOCATE = ctypes.PYFUNCTYPE(
    ctypes.c_int,
    ctypes.POINTER(capsules.Tensor),
    ctypes.POINTER(ctypes.c_void_p),
    ctypes.c_void_p,
    SET_ERROR,
)
TO_OBJECT = ctypes.PYFUNCTYPE(ctypes.c_int, ctypes.c_void_p, ctypes.POINTER(ctypes.c_void_p))
new_capsule = capsules.function(
    "PyCapsule_New", ctypes.py_object, ctypes.c_void_p, ctypes.c_char_p, ctypes.c_void_p
)

add_pending_call = capsules.function(
    "Py_AddPendingCall", ctypes.c_int, ctypes.c_void_p, ctypes.py_object
)


class Functions(ctypes.Structure):
    """`DLPackExchangeAPI`, with the functions that consumers need."""

    _fields_ = (
        ("major", ctypes.c_uint32),
        ("minor", ctypes.c_uint32),
        ("previous", ctypes.c_void_p),
        ("managed_tensor_allocator", ctypes.c_void_p),
        ("managed_tensor_from_py_object_no_sync", ctypes.c_void_p),
        ("managed_tensor_to_py_object_no_sync", ctypes.c_void_p),
        ("dltensor_from_py_object_no_sync", ctypes.c_void_p),
        ("current_work_stream", ctypes.c_void_p),
    )


@EXPORT
def export(exporter, tensor):
    deleter, tensor[0] = capsules.consume(exporter.array.__dlpack__(max_version=(1, 1)))
    return 0 if deleter else -1


@BORROW
def borrow(exporter, tensor):
    """Export a tensor that the exporter owns."""
    exporter.exports.append("borrowed")
    exporter.capsule = exporter.array.__dlpack__(max_version=(1, 1))
    tensor[0] = capsules.read(exporter.capsule).tensor
    return 0


@EXPORT
def export_with_deleter(exporter, tensor):
    """Export a tensor that the consumer owns, and record that it is deleted."""
    exporter.exports.append("owned")
    exporter.capsule = exporter.array.__dlpack__(max_version=(1, 1))
    exported = exporter.exported = capsules.Versioned.from_buffer_copy(
        capsules.read(exporter.capsule)
    )
    exported.major = exporter.major
    exported.flags |= exporter.flags
    exported.deleter = ctypes.cast(exporter.deleter, ctypes.c_void_p)
    tensor[0] = ctypes.addressof(exported)
    return 0


@EXPORT
def export_and_fail_later(exporter, tensor):
    status = export_with_deleter(exporter, tensor)
    exporter.fail_later  # noqa: B018  (a call in Python would run pending calls itself)
    return status


@EXPORT
def no_tensor(_exporter, _tensor):
    return 0


@EXPORT
def fail_without_a_reason(_exporter, _tensor):
    return -1


# returns -1 with the exception that the object's `fileno` raises
fail = EXPORT(("PyObject_AsFileDescriptor", ctypes.pythonapi))


@STREAM
def default_stream(_type, _index, stream):
    stream[0] = None
    return 0


# a callback of ctypes cannot raise: this returns -1 with the exception of a pending call
fail_later = STREAM(("Py_MakePendingCalls", ctypes.pythonapi))


def functions(export, major=1, previous=None, borrow=None):
    table = Functions(major, 3, previous and ctypes.addressof(previous))
    table.managed_tensor_from_py_object_no_sync = ctypes.cast(export, ctypes.c_void_p)
    table.dltensor_from_py_object_no_sync = borrow and ctypes.cast(borrow, ctypes.c_void_p)
    table.current_work_stream = ctypes.cast(default_stream, ctypes.c_void_p)
    return table


def exporter_of(array, table, name=NAME):
    class Exporter:
        __dlpack_c_exchange_api__ = new_capsule(ctypes.addressof(table), name, None)

        fail_later = property(
            functools.partial(add_pending_call, ctypes.cast(fail, ctypes.c_void_p))
        )

        def __init__(self, array, table):
            self.array = array
            self.table = table  # the capsule points to it
            self.dlpack_calls = 0
            self.exports = []
            self.major = 1
            self.flags = 0
            self.deleted = []
            self.deleter = DELETER(self.deleted.append)

        def __dlpack__(self, **arguments):
            self.dlpack_calls += 1
            return self.array.__dlpack__(**arguments)

        def __dlpack_device__(self):
            return self.array.__dlpack_device__()

        def fileno(self):
            raise KeyError("a reason")

    if without_gradients:
        Exporter.requires_grad = False
    return Exporter(array, table)


without_gradients = False


FAKE_TORCH = """
from exchange import borrow, export_with_deleter, exporter_of, functions
from package import axpy, cuvec

table = functions(export_with_deleter, borrow=borrow)
Tensor = type(exporter_of(None, table))
Tensor.__module__ = "torch"
Tensor.requires_grad = False


class OnHost:
    def __init__(self, array):
        self.array = array

    def __dlpack__(self, **arguments):
        return self.array.__dlpack__(dl_device=(1, 0), **arguments)


def tensor(array=None):
    return Tensor(cuvec.ones(3) if array is None else array, table)


axpy(0, tensor(), cuvec.ones(3))  # the class is inspected at its first use
"""
