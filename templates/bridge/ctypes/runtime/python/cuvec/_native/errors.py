"""Python exceptions: of C functions, and of arguments that cannot be converted."""

from ctypes import ArgumentError
from typing import Any


class UnsupportedDTypeError(TypeError):
    """Elements of a type that no array here has. Who knows the array's name makes it a TypeError."""


EXCEPTIONS: dict[int, type[Exception]] = {  # by `core_status`
    1: TypeError,
    2: ValueError,
    3: MemoryError,
    4: RuntimeError,
    5: BufferError,
    6: OverflowError,
    8: UnsupportedDTypeError,
}
INTERRUPTED = 7


def revealed(
    error: ArgumentError,
    kept: BaseException | None,
    parameters: tuple[Any, ...],
    arguments: tuple[object, ...],
) -> BaseException:
    """Return the exception that ctypes has made an ArgumentError of.

    `kept` is what the conversion has raised: also a KeyboardInterrupt, for example. A parameter may
    know better what is wrong with its argument.
    """
    if isinstance(kept, Exception):
        for parameter, argument in zip(parameters, arguments, strict=False):
            try:
                getattr(parameter, "explain", id)(argument)
            except Exception as explained:  # noqa: BLE001  # an __index__ may raise anything
                return explained
    return kept or TypeError(str(error))
