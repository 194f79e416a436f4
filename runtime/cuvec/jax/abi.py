"""XLA's foreign functions: what is used here of `xla/ffi/api/c_api.h` of jaxlib, and its memory as arrays."""

import math
from collections.abc import Sequence
from ctypes import (
    CFUNCTYPE,
    POINTER,
    Structure,
    c_char_p,
    c_int,
    c_int32,
    c_int64,
    c_size_t,
    c_uint32,
    c_void_p,
)
from functools import cache
from typing import Any, ClassVar, NamedTuple

import numpy as np

from .._core import dtypes
from ..memory import named, typestr_of

MAJOR = 0  # of the interface; minor versions add to it
METADATA = 1  # the extension by which XLA asks what a handler is
IN_GRAPHS = 1  # the trait of handlers whose calls may be a part of a CUDA graph
INVALID_ARGUMENT, RESOURCE_EXHAUSTED, INTERNAL = 3, 8, 13

TYPESTRS = {number: typestr for typestr, number in dtypes.items()}


class Struct(Structure):
    """How every structure begins: with the size that it has for its maker."""

    _fields_: ClassVar[Any] = (("struct_size", c_size_t), ("extension", c_void_p))


class Version(Struct):
    _fields_ = (("major", c_int), ("minor", c_int))


class Metadata(Structure):
    """Description of a handler; `state`, of which ours has none, came with a later version."""

    _fields_ = (
        ("struct_size", c_size_t),
        ("version", Version),
        ("traits", c_uint32),
        ("state", c_int64),
    )


class Extension(Structure):
    """A request that a call makes in place of work; `metadata` is there if the type is `METADATA`."""

    _fields_ = (
        ("struct_size", c_size_t),
        ("type", c_int),
        ("next", c_void_p),
        ("metadata", POINTER(Metadata)),
    )


class Text(Structure):
    _fields_ = (("address", c_void_p), ("size", c_size_t))


class Buffer(Struct):
    _fields_ = (
        ("dtype", c_int),
        ("data", c_void_p),
        ("rank", c_int64),
        ("dims", POINTER(c_int64)),
    )


class Buffers(Struct):
    _fields_ = (
        ("size", c_int64),
        ("types", POINTER(c_int32)),
        ("items", POINTER(POINTER(Buffer))),
    )


class Attributes(Struct):
    _fields_ = (
        ("size", c_int64),
        ("types", POINTER(c_int32)),
        ("names", POINTER(POINTER(Text))),
        ("items", POINTER(POINTER(Text))),
    )


class NewError(Struct):
    _fields_ = (("message", c_char_p), ("code", c_int))


class GetStream(Struct):
    _fields_ = (("context", c_void_p), ("stream", c_void_p))


class Api(Struct):
    _fields_ = (
        ("version", Version),
        ("internal", c_void_p),
        ("new_error", CFUNCTYPE(c_void_p, POINTER(NewError))),
        ("get_message", c_void_p),
        ("destroy_error", c_void_p),
        ("register", c_void_p),
        ("get_stream", CFUNCTYPE(c_void_p, POINTER(GetStream))),
    )


class Frame(Struct):
    """A call of a handler."""

    _fields_ = (
        ("api", POINTER(Api)),
        ("context", c_void_p),
        ("stage", c_int),
        ("arguments", Buffers),
        ("results", Buffers),
        ("attributes", Attributes),
    )


HANDLER = CFUNCTYPE(c_void_p, POINTER(Frame))


class Exporter:
    """An array at an address, for as long as the call of XLA's that it is of."""

    def __init__(self, protocol: str, interface: dict[str, Any]) -> None:
        setattr(self, protocol, interface)


@cache
def _dtype_of(number: int) -> "np.dtype[Any]":
    """Return NumPy's dtype for XLA's number; TypeError for one that there is not elsewhere."""
    if number not in TYPESTRS:
        raise TypeError(f"XLA's dtype {number} is none that functions have")
    return named(TYPESTRS[number])


class Block(NamedTuple):
    """An array in the order of C; `dtype` is NumPy's."""

    address: int
    dtype: "np.dtype[Any]"
    shape: tuple[int, ...]

    @classmethod
    def of(cls, buffer: Buffer) -> "Block":
        """Read what XLA says of an array; errors as `_dtype_of`."""
        return cls(buffer.data or 0, _dtype_of(buffer.dtype), tuple(buffer.dims[: buffer.rank]))

    def at(self, index: Sequence[int]) -> "Block":
        """Return the part at an index of the first axes; axes of size 1 are broadcast."""
        if not index:
            return self
        loop, shape = self.shape[: len(index)], self.shape[len(index) :]
        position = 0
        for i, size in zip(index, loop, strict=True):
            position = position * size + (0 if size == 1 else i)
        address = self.address + position * math.prod(shape) * self.dtype.itemsize
        return Block(address, self.dtype, shape)

    def on_host(self, writes: bool) -> Any:
        """Return a NumPy array over it."""
        if 0 in self.shape:
            return np.empty(self.shape, self.dtype)
        interface = {**self._interface(writes), "typestr": self.dtype.str}
        return np.asarray(Exporter("__array_interface__", interface)).view(self.dtype)

    def on_gpu(self, writes: bool, stream: int) -> Any:
        """Return an array on the GPU, where it is ready after what is on a stream."""
        interface = {**self._interface(writes), "stream": stream}
        return Exporter("__cuda_array_interface__", interface)

    def _interface(self, writes: bool) -> dict[str, Any]:
        return {
            "shape": self.shape,
            "typestr": typestr_of(self.dtype),
            "data": (self.address, not writes),
            "version": 3,
        }
