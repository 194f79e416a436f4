"""The functions on arrays of JAX as names of a module. The build writes a stub with their signatures."""

from .function import functions

__all__ = list(functions)  # pyright: ignore[reportUnsupportedDunderAll]
globals().update(functions)
