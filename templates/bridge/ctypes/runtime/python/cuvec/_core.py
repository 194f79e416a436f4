"""Functions and memory of the package over a C library, by ctypes; `_core.pyi` has their types."""

from ._native.buffer import Buffer
from ._native.device import dev_set, dev_sync, device, empty_cache, memory_stats
from ._native.functions import assign, declared, set_array_factory, signatures
from ._native.xla import xla_handler

__all__ = [
    "Buffer",
    "assign",
    "declared",
    "dev_set",
    "dev_sync",
    "device",
    "empty_cache",
    "memory_stats",
    "set_array_factory",
    "signatures",
    "xla_handler",
]
