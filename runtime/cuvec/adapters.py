"""Which adapter takes a call of a function: arrays of its library are not read, or are better left to it."""

import sys
from collections.abc import Mapping
from importlib import import_module
from typing import Any

_WITHOUT_METHODS = {
    "torch": "has no derivative, and a tensor needs a gradient: pass x.detach()",
    "jax": "is part of no program of JAX: call it outside of jax.jit, jax.grad and jax.vmap",
    "dask": "takes no arrays of Dask: pass x.compute()",
}
_CLASSES = {"torch": ("torch", "Tensor"), "jax": ("jax", "Array"), "dask": ("dask.array", "Array")}


def call(array: object, name: str, arguments: Mapping[str, Any]) -> Any:
    """Return what the adapter for an array returns, with which a function is called.

    It is `NotImplemented` without one, and for a function that writes its arguments, except to tensors of
    PyTorch: the others return what is written, which nobody would look for. Classes and functions of structs have
    no adapters.
    """
    adapter = _adapter_of(array)
    if not adapter:
        return NotImplemented
    from .declaration import declarations  # slow to import, and few calls need it

    declaration = declarations().get(name)
    if declaration is None or declaration.struct:
        raise TypeError(f"{name}() {_WITHOUT_METHODS[adapter]}")
    if adapter != "torch" and any(it.written for it in declaration.arrays):
        return NotImplemented
    function = getattr(import_module(f".{adapter}", __package__), name, None)
    return NotImplemented if function is None else function(**arguments)


def _adapter_of(array: object) -> str:
    """Return the name of the adapter for an array: only a library that was imported has any."""
    for adapter, (module, name) in _CLASSES.items():
        cls = getattr(sys.modules.get(module), name, None)
        if cls is not None and isinstance(array, cls):
            return adapter
    return ""
