"""Functions and classes written by hand, over the C interface of the library `libext`."""

from ctypes import c_double, c_long, c_longlong, c_void_p, py_object
from typing import Any

from .cuvec import CuVec
from .cuvec.library import Holder, Library

_library = Library(__name__)
_relax = _library.function("relax_x", c_long, py_object, c_double, c_long, py_object)
_line = _library.function("make_line", py_object, c_double, c_double, c_longlong)
_new = _library.function("smoother_new", c_void_p, c_longlong, c_double)
_apply = _library.function("smoother_apply", None, c_void_p, py_object, py_object)


class NotConverged(RuntimeError):
    """The array still changes after the last round."""


def relax(x: Any, tolerance: float = 1e-6, limit: int = 1_000_000, stream: object = None) -> int:
    """Relax the float64 array `x` to a line, in place; return the number of rounds."""
    rounds: int = _relax(x, tolerance, limit, stream)
    if rounds == 0:
        raise NotConverged("x still changes after the last round")
    return rounds


def line(start: float, stop: float, n: int) -> CuVec:
    """Return `n` numbers, evenly spaced."""
    array: CuVec = _line(start, stop, n)
    return array


class Smoother(Holder):
    """Smooths arrays of `n` elements, with its own buffer."""

    def __init__(self, n: int, strength: float = 0.5) -> None:
        super().__init__(_library, "smoother", _new(n, strength))

    def apply(self, x: Any, stream: object = None) -> None:
        """Smooth the float64 array `x` in place, twice."""
        _apply(self._object, x, stream)
