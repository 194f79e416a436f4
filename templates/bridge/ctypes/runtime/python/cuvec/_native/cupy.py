"""CuPy's arrays, which the library reads itself once it knows their class."""

import sys
from ctypes import py_object
from typing import Any

from .dlpack import VERSION
from .library import with_gil

_know = with_gil("core_py_cupy", None, py_object, py_object, py_object, py_object)
_seen: list[type] = []


def see(value: Any) -> bool:
    """Return whether an array is of CuPy's class, and the first one; the library then knows it."""
    cupy: Any = sys.modules.get("cupy")
    if _seen or type(value) is not getattr(cupy, "ndarray", None):
        return False
    current_stream = getattr(getattr(cupy, "cuda", None), "get_current_stream", None)
    if current_stream is None:
        return False  # it is being imported
    arguments = {"stream": -1, "max_version": VERSION}
    try:
        value.__dlpack__(**arguments)
    except TypeError:
        return False  # it is from before DLPack 1.0
    _know(type(value), current_stream, (), arguments)
    _seen.append(type(value))
    return True
