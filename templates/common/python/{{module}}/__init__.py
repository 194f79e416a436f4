"""GPU functions on arrays: `axpy`, `dot`, and `cuvec`, NumPy arrays in CUDA unified memory."""

from . import cuvec
from ._core import axpy, dot

__all__ = ["__version__", "axpy", "cuvec", "dot"]

__version__: str


def __getattr__(name: str) -> str:
    if name == "__version__":
        from importlib.metadata import version  # here, so that importing the package stays cheap

        return version(__name__)
    raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
