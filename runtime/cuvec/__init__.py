"""NumPy arrays in CUDA unified memory: one address that the CPU and the GPU both read and write.

>>> x = cuvec.ones((3, 4))  # a numpy.ndarray in every respect
>>> x.ptr                   # and the address that a kernel sees

Without a GPU the same arrays live in plain aligned host memory.
"""

from importlib import import_module as _import_module

from . import doctor  # before anything that imports the native module: it may be asked for
from .array import CuVec
from .convert import asarray, copy
from .create import (
    empty,
    empty_like,
    full,
    full_like,
    ones,
    ones_like,
    zeros,
    zeros_like,
)
from .optional import once_imported as _once_imported
from .pointer import Pointer
from .runtime import Device, MemoryStats, dev_set, dev_sync, device, empty_cache, memory_stats

# In a worker of Dask, and its client.
_once_imported("distributed.protocol", lambda: _import_module(f"{__name__}.serializers"))

__all__ = [
    "CuVec",
    "Device",
    "MemoryStats",
    "Pointer",
    "asarray",
    "copy",
    "dev_set",
    "dev_sync",
    "device",
    "doctor",
    "empty",
    "empty_cache",
    "empty_like",
    "full",
    "full_like",
    "memory_stats",
    "ones",
    "ones_like",
    "zeros",
    "zeros_like",
]
