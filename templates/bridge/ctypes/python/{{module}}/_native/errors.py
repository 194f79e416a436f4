"""Python exceptions: of C functions, and of arguments that cannot be converted."""

import threading
from ctypes import ArgumentError

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


def revealed(error: ArgumentError) -> Exception:
    """Return the error that ctypes has made an ArgumentError of."""
    original, _hidden.error = _hidden.error, None
    return original or TypeError(str(error))
