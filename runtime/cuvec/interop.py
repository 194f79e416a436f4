"""Arrays for other GPU libraries: ``__cuda_array_interface__`` version 3 and DLPack."""

from operator import index
from typing import TYPE_CHECKING, Any

from .memory import EXTENSIONS, Array, address_of, buffer_of, typestr_of

if TYPE_CHECKING:
    from typing_extensions import CapsuleType

    from ._core import Buffer

CPU = (1, 0)
CUDA = 2


def cuda_array_interface(array: Array, block: "Buffer") -> dict[str, Any]:
    """Describe an array over `block`; AttributeError without a GPU."""
    if array.dtype.kind not in "biufc" or array.dtype.name in EXTENSIONS:
        raise AttributeError(f"dtype `{array.dtype}` has no __cuda_array_interface__")
    # reading the block's own waits for asynchronous calls, so consumers need no stream
    return {
        **block.__cuda_array_interface__,
        "shape": array.shape,
        "strides": None if array.flags.c_contiguous else array.strides,
        "typestr": array.dtype.str,
        "data": (address_of(array) if array.size else 0, not array.flags.writeable),
    }


def dlpack_device(array: Array) -> tuple[int, int]:
    """Return DLPack's (device type, index) of an array.

    Managed and pinned memory both count as the GPU's, because every consumer accepts that.
    """
    block = buffer_of(array)
    return CPU if block is None or block.device is None else (CUDA, block.device)


def dlpack(
    array: Array,
    stream: int | None,
    max_version: tuple[int, int] | None,
    dl_device: tuple[int, int] | None,
    copied: bool,
) -> "CapsuleType":
    """Export an array as a DLPack capsule that keeps its block of memory alive."""
    own = dlpack_device(array)
    device = own if dl_device is None else (int(dl_device[0]), int(dl_device[1]))
    versioned = max_version is not None and max_version[0] >= 1
    block = buffer_of(array)
    if block is None:
        raise BufferError("array is not in cuvec memory: use cuvec.asarray")
    if device not in (own, CPU):
        raise BufferError(f"cannot export from DLPack device {own} to {device}")
    if not array.flags.writeable and not versioned:
        raise BufferError("read-only array: the consumer must ask for DLPack 1.0, or pass a copy")
    _check_stream(stream, own)
    typestr = typestr_of(array.dtype)
    if typestr is None:
        raise BufferError(f"dtype `{array.dtype}` cannot be exported through DLPack")
    strides = _element_strides(array)
    if stream != -1:
        block.wait()
    return block.dlpack(
        address_of(array) if array.size else 0,
        array.shape,
        strides,
        typestr,
        not array.flags.writeable,
        device,
        versioned,
        copied,
    )


def _element_strides(array: Array) -> tuple[int, ...]:
    """Return strides counted in elements; BufferError for what DLPack cannot say."""
    if any(stride % array.itemsize for stride in array.strides):
        raise BufferError("strides are not whole elements: pass a copy")
    return tuple(stride // array.itemsize for stride in array.strides)


def _check_stream(stream: int | None, device: tuple[int, int]) -> None:
    """Check a consumer's stream: -1 (do not wait), 1 and 2 (default streams), or a handle."""
    if stream is None:
        return
    if device == CPU:
        raise ValueError("stream must be None without a GPU")
    if index(stream) == 0:
        raise ValueError("stream 0 is ambiguous: 1 is the legacy default, 2 the per-thread default")
    if index(stream) < -1:
        raise ValueError(f"stream {stream} is no CUDA stream")
