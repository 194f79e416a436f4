"""Functions and memory of the package; `_core.pyi` has their types."""

from ._native.buffer import Buffer
from ._native.device import dev_set, dev_sync, device, empty_cache, memory_stats
from ._native.functions import address, assign, axpy, dot

__all__ = [
    "Buffer",
    "address",
    "assign",
    "axpy",
    "dev_set",
    "dev_sync",
    "device",
    "dot",
    "empty_cache",
    "memory_stats",
]
