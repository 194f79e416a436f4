"""The functions that the package declares. The build writes a stub with their signatures."""

from . import _core
from .array import CuVec

_core.set_array_factory(CuVec._over)  # for results that are new arrays

__all__ = [function.__name__ for function in _core.declared]  # pyright: ignore[reportUnsupportedDunderAll]
globals().update(zip(__all__, _core.declared, strict=True))
