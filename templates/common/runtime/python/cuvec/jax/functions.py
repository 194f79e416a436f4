"""Gives the functions to XLA."""

from collections.abc import Callable
from typing import Any

from .. import _core
from ..declaration import Declaration, declarations
from .function import Function
from .handler import Handler
from .library import jax

_PACKAGE = __name__.rpartition(".cuvec.")[0]


def _register(function: Callable[..., Any], declaration: Declaration) -> Function:
    """Give a function to XLA, for both platforms."""
    target = f"{_PACKAGE}.{declaration.name}"
    for platform in ("cpu", "CUDA"):
        handler = Handler(function, declaration, platform == "CUDA")
        _handlers.append(handler)
        jax.ffi.register_ffi_target(target, jax.ffi.pycapsule(handler.pointer), platform)
    made = Function(function, declaration, target)
    made.__module__ = f"{_PACKAGE}.jax"
    return made


_handlers: list[Handler] = []  # XLA may call them until the process ends
functions: dict[str, Function] = {
    name: _register(function, declaration)
    for function, (name, declaration) in zip(_core.declared, declarations().items(), strict=True)
    if declaration.results or any(it.written for it in declaration.arrays)
}
