"""The functions, classes and structs that the package declares. The build writes a stub with their signatures."""

from collections.abc import Callable
from typing import Any

from . import _core, adapters, convert
from .array import CuVec
from .classes import classes
from .memory import named

_core.set_array_class(CuVec, named)  # for results that are new arrays
_core.set_adapters(adapters.call)
_core.set_converter(convert.readable)

_declared: list[Callable[..., Any]] = [*_core.declared, *classes]


def __getattr__(name: str) -> list[str]:
    if name == "__all__":  # another list each time: a package adds its own names to it
        return [*(it.__name__ for it in _declared), *_core.structs]
    raise AttributeError(f"module {__name__!r} has no attribute {name!r}")


globals().update((it.__name__, it) for it in _core.result_types.values())
globals().update(_core.structs)
# last, for a function may be called `list`
globals().update((it.__name__, it) for it in _declared)
