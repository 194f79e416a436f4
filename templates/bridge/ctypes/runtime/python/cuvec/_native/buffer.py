"""The raw memory of an array."""

from collections.abc import Sequence
from ctypes import POINTER, py_object
from typing import TYPE_CHECKING, Any, Literal, SupportsIndex, final

from .dlpack import export_dlpack
from .exporter import OFFSET, exporter
from .library import function
from .parameters import Count, Extents, Flag, Text, UInt64
from .stream import Stream
from .structs import CoreBuffer

if TYPE_CHECKING:
    from typing_extensions import CapsuleType

_new = function("core_py_buffer_new", py_object, Count, Extents, Text, Text, Flag)
_wait = function("core_buffer_wait", POINTER(CoreBuffer))
_expose = function("core_buffer_expose", POINTER(CoreBuffer))
_prefetch = function("core_buffer_prefetch", POINTER(CoreBuffer), Text, UInt64, UInt64, Stream)


@final
@exporter
class Buffer:
    """A block of memory that the host and the GPU both address, as a C-contiguous array.

    Parameters
    ----------
    shape : tuple of int
    typestr : str
        Element type as in NumPy's array interface, such as "<f4".
    memory : {"managed", "pinned"}
    zero : bool
        Fill with zeros; otherwise the contents are undefined.

    Raises
    ------
    TypeError
        An element type that is not supported.
    ValueError
        A negative or overflowing shape, or another kind of memory.
    MemoryError
        Not enough memory.
    """

    _buffer: int

    def __new__(
        cls,
        shape: Sequence[SupportsIndex],
        typestr: str,
        memory: Literal["managed", "pinned"],
        zero: bool,
    ) -> "Buffer":
        if not isinstance(shape, tuple):
            raise TypeError(f"shape must be a tuple, not {type(shape).__name__}")
        self = object.__new__(cls)
        _new(self, shape, shape, typestr, memory, zero)
        return self

    @staticmethod
    def _without_memory() -> "tuple[Buffer, int]":
        """Return a new object, and the place for the pointer to what it is to own."""
        self = object.__new__(Buffer)
        return self, id(self) + OFFSET

    @property
    def _struct(self) -> CoreBuffer:
        if not self._buffer:
            raise ValueError("the buffer was not initialized")
        return CoreBuffer.from_address(self._buffer)

    @property
    def shape(self) -> tuple[int, ...]:
        """Extents, in elements."""
        array = self._struct.array
        return tuple(array.shape[: array.ndim])

    @property
    def typestr(self) -> str:
        """Element type as in NumPy's array interface."""
        return str(self._struct.typestr, "ascii")

    @property
    def nbytes(self) -> int:
        """Size in bytes."""
        return int(self._struct.nbytes)

    @property
    def ptr(self) -> int:
        """Address of the first byte."""
        return int(self._struct.array.data)

    @property
    def memory(self) -> Literal["managed", "pinned"]:
        """`"managed"` or `"pinned"`, as asked for."""
        return "managed" if self._struct.memory == b"managed" else "pinned"

    @property
    def device(self) -> int | None:
        """Index of the GPU that addresses it, None without a GPU."""
        device: int = self._struct.device
        return None if device < 0 else device

    @property
    def __cuda_array_interface__(self) -> dict[str, Any]:
        """The interface of CUDA arrays, version 3.

        Reading it waits for asynchronous calls that use the memory.
        """
        if self.device is None:
            raise AttributeError(
                "no __cuda_array_interface__: the memory is the host's, there is no GPU"
            )
        _wait(self._struct)
        _expose(self._struct)
        return {
            "shape": self.shape,
            "typestr": self.typestr,
            "data": (self.ptr if self.nbytes else 0, False),
            "strides": None,
            "stream": None,
            "version": 3,
        }

    def wait(self) -> None:
        """Wait for asynchronous calls that use the memory."""
        _wait(self._struct)

    def prefetch(
        self, where: Literal["device", "host"], offset: int, nbytes: int, stream: object = None
    ) -> None:
        """Move `nbytes` bytes from `offset` on to the "device" or the "host"."""
        _prefetch(self._struct, where, offset, nbytes, stream)

    def dlpack(
        self,
        address: int,
        shape: Sequence[int],
        strides: Sequence[int],
        typestr: str,
        readonly: bool,
        device: tuple[int, int],
        versioned: bool,
        copied: bool,
    ) -> "CapsuleType":
        """Return a DLPack capsule of an array in this memory, which it keeps alive.

        Does not wait for asynchronous calls.
        """
        layout = address, shape, strides, typestr
        return export_dlpack(self._struct, *layout, readonly, copied, *device, versioned)

    def __repr__(self) -> str:
        return (
            f"Buffer(shape={self.shape}, typestr='{self.typestr}', memory='{self.memory}', "
            f"ptr={self.ptr:#x})"
        )
