"""DLPack, both ways.

https://dmlc.github.io/dlpack/latest/python_spec.html
"""

from collections.abc import Sequence
from ctypes import POINTER, byref, c_int32, c_uint64, c_void_p, py_object
from operator import index
from typing import TYPE_CHECKING, Any

from . import capsule
from .cuda_array_interface import find_interface, is_writable
from .library import function, maker, with_gil
from .parameters import Extents, Int32, Text, UInt64
from .structs import CoreArray, CoreBuffer

if TYPE_CHECKING:
    from typing_extensions import CapsuleType

VERSION = (1, 1)

_exchange = function("core_py_exchange", c_void_p, py_object, POINTER(c_void_p), keeps_gil=True)
_consumer_stream = function("core_dlpack_stream", Int32, Int32, results=(c_uint64, c_int32))
_import = function("core_py_import", *(py_object, Int32, Int32, POINTER(c_void_p)), keeps_gil=True)
_delete = with_gil("core_dlpack_delete", None, c_void_p)  # deleters may be Python's
_export = maker(
    "core_py_export",
    *(POINTER(CoreBuffer), UInt64, Int32, Extents, Extents, Text),
    *(Int32, Int32, Int32, Int32, Int32),
)


class Loan:
    """What an exporter has lent, until this object is gone.

    The library writes the array's address into it, so that it has an owner at any time.
    """

    def __init__(self) -> None:
        self.address = c_void_p()

    def __del__(self) -> None:
        if self.address.value is not None:
            _delete(self.address)


def import_dlpack(exporter: Any) -> Any:
    """Read an array that has `__dlpack__`; return a reference to a `CoreArray`."""
    loan = Loan()
    _import_exchange(exporter, loan)
    if loan.address.value is None:
        _import_capsule(exporter, loan)
    address: Any = loan.address.value
    array: Any = CoreArray.from_address(address)
    array.owner = loan
    return byref(array)


def _import_exchange(exporter: Any, loan: Loan) -> None:
    """Use the functions that the array's class offers to C, if they can be.

    They know nothing of gradients, which would be lost without a word: `__dlpack__` refuses arrays
    that have some.
    """
    offered = getattr(type(exporter), "__dlpack_c_exchange_api__", None)
    if offered is not None and not getattr(exporter, "requires_grad", False):
        _exchange(capsule.functions(offered), exporter, loan.address)


def _import_capsule(exporter: Any, loan: Loan) -> None:
    capsule_, versioned = _ask(exporter)
    writable = versioned or _is_writable_legacy(exporter)
    _import(capsule_, versioned, writable, loan.address)


def _ask(exporter: Any) -> tuple[Any, bool]:
    """Return a capsule whose contents are ready on our stream, and whether it has a version."""
    handle, any_stream = _consumer_stream(*_device_of(exporter))
    arguments = {"stream": handle} if any_stream else {}
    ask = exporter.__dlpack__
    try:
        answer = ask(**arguments, max_version=VERSION)
    except TypeError:
        answer = ask(**arguments)  # it is from before DLPack 1.0
    for versioned in (True, False):
        if capsule.holds_tensor(answer, versioned):
            return answer, versioned
    raise TypeError("__dlpack__() must return a DLPack capsule that was not used yet")


def _device_of(exporter: Any) -> tuple[int, int]:
    device = exporter.__dlpack_device__()
    if isinstance(device, Sequence) and len(device) == 2:
        kind, number = device
        # A range is searched number by number for an enumerator, such as PyTorch's: so index().
        if all(isinstance(n, int) and index(n) in Int32.values for n in device):
            return index(kind), index(number)
    raise TypeError("__dlpack_device__() must return a type and an index")


def _is_writable_legacy(exporter: Any) -> bool:
    """Return whether writing to a tensor from before DLPack 1.0 writes to the array.

    The tensor cannot say so, and some arrays are immutable: it takes a `__cuda_array_interface__`
    that permits it.
    """
    interface = find_interface(exporter)
    return interface is not None and is_writable(interface)


def export_dlpack(
    buffer: CoreBuffer,
    address: int,
    shape: Sequence[int],
    strides: Sequence[int],
    typestr: str,
    read_only: bool,
    copied: bool,
    device_type: int,
    device_index: int,
    versioned: bool,
) -> "CapsuleType":
    """Make a capsule of a part of a block.

    It keeps the block alive, and not the Python object: its deleter needs no interpreter and can
    run on any thread.
    """
    if len(shape) != len(strides):
        raise ValueError("the array's shape and strides differ in length")
    made: CapsuleType = _export(
        *(buffer, address, len(shape), tuple(shape), tuple(strides), typestr),
        *(read_only, copied, device_type, device_index, versioned),
    )
    return made
