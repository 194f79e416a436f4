"""Arrays of other libraries that the GPU still uses when a call has returned."""

from ctypes import py_object

import numpy as np

from .library import failure, function

UNFINISHED = 9

_keep = function("core_py_keep", py_object, keeps_gil=True)
release = function("core_py_release", keeps_gil=True)


def finish(status: int, arguments: tuple[object, ...]) -> None:
    """End a call that has a status: keep what the GPU may still use, or raise what has failed."""
    if status != UNFINISHED:
        raise failure(status)
    _keep([it for it in arguments if not isinstance(it, np.ndarray)])
