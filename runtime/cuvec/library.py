"""Libraries with a C interface, written by hand over cuvec/ctypes.h and called with ctypes."""

import ctypes
from collections.abc import Callable
from importlib.util import find_spec
from typing import Any, Self

from . import _core

__all__ = ["Holder", "Library"]


class Library:
    """The library of a module, such as `libext` of `mypkg.ext`; also in an editable install."""

    def __init__(self, module: str) -> None:
        package, _, name = module.rpartition(".")
        spec = find_spec(f"{package}.lib{name}")
        if spec is None or spec.origin is None:
            raise ImportError(f"{package} has no library lib{name}; install it again")
        self._library = ctypes.PyDLL(spec.origin)  # raises the exceptions that it has set
        pointer = ctypes.PYFUNCTYPE(ctypes.c_void_p, ctypes.py_object, ctypes.c_char_p)
        get_pointer = pointer(("PyCapsule_GetPointer", ctypes.pythonapi))
        self.function("cuvec_load", None, ctypes.c_void_p)(get_pointer(_core._api, b"cuvec.api"))

    def function(self, name: str, result: Any, *arguments: Any) -> Callable[..., Any]:
        """Return a function of the library, with the ctypes types of its result and arguments."""
        function = self._library[name]
        function.restype = result
        function.argtypes = arguments
        return function


class Holder:
    """Holds an object of a class that CUVEC_EXPORT_CLASS(Class, name) exports."""

    def __init__(self, library: Library, name: str, object: int) -> None:
        self._object = object
        self._close = library.function(f"{name}_close", None, ctypes.c_void_p)
        self._delete = library.function(f"{name}_delete", None, ctypes.c_void_p)  # there to the end

    def __del__(self) -> None:
        if hasattr(self, "_delete"):
            self._delete(self._object)

    def close(self) -> None:
        """Release what it holds; it cannot be used any more."""
        self._close(self._object)

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *exception: object) -> None:
        self.close()
