"""Functions written by hand, for work that is no kernel.

The example shows how to pass arrays and raise an exception of its own. Other threads run during a
call into the library, and Ctrl-C is seen between two calls: keep each of them short.
"""

import ctypes
from importlib.util import find_spec

import numpy as np
from numpy.typing import NDArray

_spec = find_spec(f"{__package__}.libext")  # also in an editable install
assert _spec is not None
_library = ctypes.CDLL(_spec.origin)
_library.ext_smooth.argtypes = [ctypes.c_void_p, ctypes.c_ssize_t]
_library.ext_smooth.restype = ctypes.c_double


class NotConverged(RuntimeError):
    """The array still changes after the last round."""


def relax(x: NDArray[np.float64], tolerance: float = 1e-6, limit: int = 1_000_000) -> int:
    """Smooth the float64 array `x` in place; return the number of rounds."""
    if x.dtype != np.float64 or x.ndim != 1:
        raise ValueError("x must be a float64 array of one dimension")
    if not (x.flags.c_contiguous and x.flags.writeable):
        raise ValueError("x must be contiguous and writable")
    for done in range(limit):
        if _library.ext_smooth(x.ctypes.data, x.size) <= tolerance:
            return done + 1
    raise NotConverged("x still changes after the last round")
