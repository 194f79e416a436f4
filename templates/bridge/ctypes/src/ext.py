"""Functions and classes written by hand, over the C interface of the library `libext`."""

import ctypes
from ctypes import c_char_p, c_double, c_int, c_long, c_longlong, c_void_p, py_object
from importlib.util import find_spec
from typing import Any, Self

from .cuvec import CuVec, _core

_spec = find_spec(f"{__package__}.libext")  # also in an editable install
assert _spec is not None
assert _spec.origin is not None
_library = ctypes.PyDLL(_spec.origin)  # raises the exceptions that the library has set

for _name, _result, _arguments in (
    ("ext_load", c_int, [c_void_p]),
    ("ext_relax", c_long, [py_object, c_double, c_long, py_object]),
    ("ext_line", py_object, [c_double, c_double, c_longlong]),
    ("ext_smoother_new", c_void_p, [c_longlong, c_double]),
    ("ext_smoother_apply", c_int, [c_void_p, py_object, py_object]),
    ("ext_smoother_close", None, [c_void_p]),
    ("ext_smoother_delete", None, [c_void_p]),
):
    getattr(_library, _name).argtypes = _arguments
    getattr(_library, _name).restype = _result

_pointer = ctypes.PYFUNCTYPE(c_void_p, py_object, c_char_p)(
    ("PyCapsule_GetPointer", ctypes.pythonapi)
)
_library.ext_load(_pointer(_core._api, b"cuvec.api"))


class NotConverged(RuntimeError):
    """The array still changes after the last round."""


def relax(x: Any, tolerance: float = 1e-6, limit: int = 1_000_000, stream: object = None) -> int:
    """Relax the float64 array `x` to a line, in place; return the number of rounds."""
    rounds: int = _library.ext_relax(x, tolerance, limit, stream)
    if rounds == 0:
        raise NotConverged("x still changes after the last round")
    return rounds


def line(start: float, stop: float, n: int) -> CuVec:
    """Return `n` numbers, evenly spaced."""
    array: CuVec = _library.ext_line(start, stop, n)
    return array


class Smoother:
    """Smooths arrays of `n` elements, with its own buffer."""

    def __init__(self, n: int, strength: float = 0.5) -> None:
        self._smoother = _library.ext_smoother_new(n, strength)
        self._delete = _library.ext_smoother_delete  # there to the end

    def __del__(self) -> None:
        if hasattr(self, "_delete"):
            self._delete(self._smoother)

    def apply(self, x: Any, stream: object = None) -> None:
        """Smooth the float64 array `x` in place, twice."""
        _library.ext_smoother_apply(self._smoother, x, stream)

    def close(self) -> None:
        """Release the buffer."""
        _library.ext_smoother_close(self._smoother)

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *exception: object) -> None:
        self.close()
