"""The `stream` argument of functions."""

from collections.abc import Sequence
from ctypes import byref
from typing import Any

from .beside import refuse_beside
from .interpreter import builtin
from .parameters import is_unsigned
from .structs import CoreStream

_MISSING = object()


def _handle_of(stream: Any) -> object:
    if isinstance(stream, int):
        return stream
    # https://nvidia.github.io/cuda-python/cuda-core/latest/interoperability.html
    protocol: Any = getattr(stream, "__cuda_stream__", _MISSING)
    if protocol is not _MISSING:
        answer = protocol()
        if not isinstance(answer, Sequence) or len(answer) != 2 or not is_unsigned(answer[0]):
            raise TypeError("__cuda_stream__() must return a version and a handle")
        return answer[1]
    for name in ("cuda_stream", "ptr"):  # PyTorch and CuPy before that protocol
        handle: object = getattr(stream, name, _MISSING)
        if handle is not _MISSING:
            return handle
    raise TypeError(
        "stream must be a CUDA stream's handle or an object with __cuda_stream__, "
        f"not {type(stream).__name__}"
    )


def _handle(number: object) -> int:
    if not is_unsigned(number):
        raise ValueError("stream is not the handle of a CUDA stream")
    return number


def _given(value: Any) -> Any:
    return byref(CoreStream(_handle(_handle_of(value))))


class Stream:
    """A ``const core_stream *``: None, a handle, or an object that knows its handle."""

    from_param = builtin("core_py_stream", _given)


def _given_to_call(value: Any) -> Any:
    if value is not None:
        return _given(value)
    refuse_beside()
    return None


class StreamOfCall:
    """The same for a declared function: None is refused beside a graph that is being recorded."""

    from_param = builtin("core_py_stream_of_call", _given_to_call)
