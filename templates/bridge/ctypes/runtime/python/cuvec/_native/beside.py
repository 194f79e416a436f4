"""Graphs that other libraries record on a stream of their own."""

import sys
from ctypes import c_int64, c_void_p, py_object

from .capsule import functions
from .library import function, with_gil

_others = with_gil("core_py_others", None, c_int64, c_void_p, py_object)
_refuse = function("core_py_refuse_beside", keeps_gil=True)
_modules = sys.modules  # at the end of the interpreter, `sys` has it no more


def _find(module: str, outer: str, inner: str) -> object:
    """Return an attribute of an attribute of a module; None while any of them is not there yet."""
    return getattr(getattr(_modules.get(module), outer, None), inner, None)


def refuse_beside() -> None:
    """Refuse a call without a stream while PyTorch or CuPy records a graph on its current one."""
    count = len(_modules)
    offered = _find("torch", "Tensor", "__dlpack_c_exchange_api__")
    torch = None if offered is None else functions(offered)
    _others(count, torch, _find("cupy", "cuda", "get_current_stream"))
    _refuse()
