"""The device that is worked on, and the pool that arrays take their memory from."""

from .kept import release
from .library import function
from .parameters import Int64
from .structs import CoreDeviceInfo, CoreMemory

_device = function("core_device", results=(CoreDeviceInfo,))
_set_device = function("core_set_device", Int64)
_synchronize = function("core_synchronize")
_memory_statistics = function("core_memory_statistics", results=(CoreMemory,))
_empty_cache = function("core_empty_cache")


def device() -> tuple[str, int | None, str, str]:
    """Return the device that is worked on: kind ("cuda" or "cpu"), index, name and why."""
    info = _device()
    index = None if info.index < 0 else info.index
    texts = (info.kind, info.name, info.reason)
    kind, name, reason = (str(text, "utf-8", "replace") for text in texts)
    return kind, index, name, reason


def dev_set(index: int) -> None:
    """Make GPU `index` the one that this thread allocates and works on."""
    _set_device(index)


def dev_sync() -> None:
    """Wait until the current GPU has finished everything."""
    _synchronize()
    release()


def memory_stats() -> tuple[int, int]:
    """Return bytes in arrays, and bytes held by the pool: in arrays or ready for new ones."""
    memory = _memory_statistics()
    return memory.used, memory.held


def empty_cache() -> None:
    """Give all memory that no array uses back to the system."""
    _empty_cache()
