"""Which adapter takes a call of a function: arrays of its library are not read, or are better left to it."""

import sys
from collections.abc import Mapping
from importlib import import_module
from types import MappingProxyType, ModuleType
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from .declaration import Declaration

_WITHOUT_METHODS = {
    "torch": "has no derivative, and a tensor needs a gradient: pass x.detach()",
    "jax": "is part of no program of JAX: call it outside of jax.jit, jax.grad and jax.vmap",
    "dask": "takes no arrays of Dask: pass x.compute()",
}
_CLASSES = {"torch": ("torch", "Tensor"), "jax": ("jax", "Array"), "dask": ("dask.array", "Array")}


def call(
    array: object,
    name: str,
    arguments: Mapping[str, Any],
    more: Mapping[str, Any] = MappingProxyType({}),
) -> Any:
    """Return what the adapter for an array returns, with which a function is called.

    It is `NotImplemented` without one. Tensors of PyTorch are written in place; programs of JAX and arrays of Dask
    return what is written, which nobody would look for after such a call. `more` are `out` and `stream`, if the
    call was given them: PyTorch's adapter takes a tensor for `out`, and no adapter the rest. Classes, and functions of arrays of structs, have no adapters.

    Raises
    ------
    TypeError
        Nothing else would take the array.
    """
    adapter = _adapter_of(array)
    if not adapter:
        return NotImplemented
    from .declaration import declarations  # slow to import, and few calls need it

    declaration = declarations().get(name)
    if declaration is None or declaration.struct_of_array:
        raise TypeError(f"{name}() {_WITHOUT_METHODS[adapter]}")
    function = getattr(_functions(adapter), name, None)
    writes = adapter != "torch" and any(it.written for it in declaration.arrays)
    has_one = len(declaration.results) == 1 and not declaration.found
    takes_more = adapter == "torch" and has_one and _adapter_of(more.get("out")) == "torch"
    if function is not None and not writes and more.keys() <= ({"out"} if takes_more else set()):
        return function(**arguments, **more)
    kept = next(iter(more), "")
    if adapter != "torch" and (
        why := _why_not(adapter, array, declaration, function is not None, kept)
    ):
        raise TypeError(f"{name}() {why}")
    return NotImplemented


def _why_not(
    adapter: str, array: object, declaration: "Declaration", has_function: bool, kept: str
) -> str:
    """Return why a call has no answer from Dask or JAX; empty where the error of reading the array says it."""
    package, name = (__package__ or "").rpartition(".")[0], declaration.name
    if adapter == "dask":
        if not has_function:
            from .dask.gufunc import why_not

            return f"takes no arrays of Dask: {why_not(declaration)}, or pass x.compute()"
        if kept:
            return f"has no `{kept}` for arrays of Dask, which are computed later: pass x.compute(), or leave it out"
        return f"writes its arguments, and arrays of Dask are computed later: pass x.compute(), or call {package}.dask.{name}, which returns them"
    writes = f"writes its arguments, and arrays of JAX do not change: call {package}.jax.{name}, which returns them"
    if not isinstance(array, sys.modules["jax"].core.Tracer):
        return writes if has_function and not kept else ""
    if not has_function:
        return _WITHOUT_METHODS["jax"]
    return f"has no `{kept}` in a program of JAX: leave it out" if kept else writes


def _functions(adapter: str) -> ModuleType:
    """Return the package's module of a library, in which its author may have given functions a derivative."""
    package = (__package__ or "").rpartition(".")[0]
    try:
        return import_module(f"{package}.{adapter}")
    except ModuleNotFoundError as error:
        if error.name != f"{package}.{adapter}":
            raise
        return import_module(f".{adapter}", __package__)


def _adapter_of(array: object) -> str:
    """Return the name of the adapter for an array: only a library that was imported has any."""
    for adapter, (module, name) in _CLASSES.items():
        cls = getattr(sys.modules.get(module), name, None)
        if cls is not None and isinstance(array, cls):
            return adapter
    return ""
