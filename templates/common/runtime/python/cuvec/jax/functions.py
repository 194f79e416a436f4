"""Gives the functions to XLA."""

from collections.abc import Callable
from typing import Any

from .. import _core
from ..declaration import Declaration, declarations
from .abi import MAJOR
from .function import Function
from .handler import Handler
from .library import jax

_PACKAGE = __name__.rpartition(".cuvec.")[0]


def _register(function: Callable[..., Any], declaration: Declaration) -> Function:
    """Give a function to XLA, for both platforms; ImportError if it wants another interface."""
    target = f"{_PACKAGE}.{declaration.name}"
    for platform in ("cpu", "CUDA"):
        handler = Handler(function, declaration, platform == "CUDA")
        _handlers.append(handler)
        jax.ffi.register_ffi_target(target, jax.ffi.pycapsule(handler.pointer), platform)
        if handler.asked is not None and handler.asked[0] != MAJOR:
            raise ImportError(
                f"JAX {jax.__version__} calls foreign functions in a way that is not known here: "
                "update the package's runtime, or pip install an older jax",
                name="jax",
            )
    made = Function(function, declaration, target)
    made.__module__ = f"{_PACKAGE}.jax"
    return made


_handlers: list[Handler] = []  # XLA may call them until the process ends
functions: dict[str, Function] = {
    name: _register(function, declaration)
    for function, (name, declaration) in zip(_core.declared, declarations().items(), strict=True)
    if declaration.results or any(it.written for it in declaration.arrays)
}
