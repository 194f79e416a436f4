"""What is used here of the C interface to XLA's foreign functions: `xla/ffi/api/c_api.h` of jaxlib."""

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
from typing import Any, ClassVar

MAJOR = 0  # of the interface; minor versions add to it
METADATA = 1  # the extension by which XLA asks what a handler is
INVALID_ARGUMENT, RESOURCE_EXHAUSTED, INTERNAL = 3, 8, 13

TYPESTRS = {
    1: "|b1",
    2: "|i1",
    3: "<i2",
    4: "<i4",
    5: "<i8",
    6: "|u1",
    7: "<u2",
    8: "<u4",
    9: "<u8",
    10: "<f2",
    11: "<f4",
    12: "<f8",
    15: "<c8",
    18: "<c16",
}


class Struct(Structure):
    """How every structure begins: with the size that it has for its maker."""

    _fields_: ClassVar[Any] = (("struct_size", c_size_t), ("extension", c_void_p))


class Version(Struct):
    _fields_ = (("major", c_int), ("minor", c_int))


class Metadata(Structure):
    """What a handler says of itself; its state, of which it has none, came with a later version."""

    _fields_ = (
        ("struct_size", c_size_t),
        ("version", Version),
        ("traits", c_uint32),
        ("state", c_int64),
    )


class Extension(Structure):
    """What a call may be about in place of work; `metadata` is there if the type is `METADATA`."""

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
