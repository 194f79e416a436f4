"""The operators as names of a module. The build writes a stub with their signatures."""

from .operators import functions, register_autograd

__all__ = ["register_autograd"]
__all__ += list(functions)  # pyright: ignore[reportUnsupportedDunderAll]
globals().update(functions)
