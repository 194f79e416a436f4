"""Python exceptions: of C functions, and of arguments that cannot be converted."""

import threading
from ctypes import ArgumentError
from typing import Any

EXCEPTIONS: dict[int, type[Exception]] = {  # by `core_status`
    1: TypeError,
    2: ValueError,
    3: MemoryError,
    4: RuntimeError,
    5: BufferError,
}


class _Hidden(threading.local):
    """The error in the thread's current conversion of arguments."""

    error: Exception | None = None


_hidden = _Hidden()


def hide(error: Exception) -> None:
    """Keep what a `from_param` raises: ctypes makes an ArgumentError of it, with the text alone."""
    _hidden.error = error


def revealed(
    error: ArgumentError, parameters: tuple[Any, ...], arguments: tuple[object, ...]
) -> Exception:
    """Return the error that ctypes has made an ArgumentError of."""
    original, _hidden.error = _hidden.error, None
    if original is not None:
        return original
    for parameter, argument in zip(parameters, arguments, strict=False):
        try:
            getattr(parameter, "explain", id)(argument)
        except Exception as explained:  # noqa: BLE001  # a __float__ may raise anything
            return explained
    return TypeError(str(error))
