"""Gives the functions to XLA."""

import ctypes

from .. import _core
from ..declaration import declarations
from .function import Function
from .handler import Handler
from .library import jax

_PACKAGE = __name__.rpartition(".cuvec.")[0]


def _target(name: str) -> str:
    return f"{_PACKAGE}.{name}"


_declared = {
    name: (function, declaration)
    for function, (name, declaration) in zip(_core.declared, declarations().items(), strict=True)
    if declaration.results or any(it.written for it in declaration.arrays)
}
_handlers = {  # XLA may call them until the process ends
    "cpu": Handler(_declared, False),
    "CUDA": Handler(_declared, True),
}


def _register() -> None:
    """Give all functions to XLA, for both platforms: one handler of the native module does for all."""
    for platform, handler in _handlers.items():
        native = ctypes.c_void_p(_core.xla_handler(handler.on_gpu, handler.address))
        for name in _declared:
            jax.ffi.register_ffi_target(_target(name), jax.ffi.pycapsule(native), platform)


def _made(name: str) -> Function:
    made = Function(*_declared[name], _target(name))
    made.__module__ = f"{_PACKAGE}.jax"
    return made


_register()
functions: dict[str, Function] = {name: _made(name) for name in _declared}
