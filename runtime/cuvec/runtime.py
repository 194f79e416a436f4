"""The device that works, and the memory it holds."""

from typing import NamedTuple

from . import _core
from ._core import dev_set, dev_sync, empty_cache

__all__ = ["Device", "MemoryStats", "dev_set", "dev_sync", "device", "empty_cache", "memory_stats"]


class Device(NamedTuple):
    """Where arrays live and functions run.

    Attributes
    ----------
    kind : str
        ``"cuda"`` or ``"cpu"``.
    index : int or None
        Number of the GPU; None on the CPU.
    name : str
        What the hardware is called.
    reason : str
        Why this device was chosen.
    """

    kind: str
    index: int | None  # type: ignore[assignment]  # hides tuple.index
    name: str
    reason: str

    def __str__(self) -> str:
        place = self.kind if self.index is None else f"{self.kind}:{self.index}"
        return f"{place} {self.name} ({self.reason})"


class MemoryStats(NamedTuple):
    """Bytes of array memory in this process.

    Attributes
    ----------
    used : int
        Bytes in blocks that arrays occupy.
    held : int
        `used` plus freed blocks that are kept for the next arrays; `empty_cache` gives those back.
    """

    used: int
    held: int


def device() -> Device:
    """Return the device in use.

    The environment variable ``CUVEC_DEVICE`` decides, read at first use: ``auto`` (a GPU if there
    is one), ``cuda`` (RuntimeError if there is none) or ``cpu``.
    """
    return Device(*_core.device())


def memory_stats() -> MemoryStats:
    """Return how many bytes the arrays of this process use and hold."""
    return MemoryStats(*_core.memory_stats())
