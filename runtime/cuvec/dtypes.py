"""The element types that arrays may be created with."""

from typing import TYPE_CHECKING, Any

import numpy as np

if TYPE_CHECKING:
    from numpy.typing import DTypeLike

SUPPORTED = frozenset(np.dtype(char).str for char in "?bBhHiIqQefdFD")
_seen: dict[Any, tuple[np.dtype[Any], str]] = {}  # parsing a dtype costs as much as an allocation


def resolve(dtype: "DTypeLike | None") -> tuple[np.dtype[Any], str]:
    """Return a dtype and its typestr (``"<f4"``); None is float32, TypeError if unsupported."""
    try:
        return _seen[dtype]
    except (KeyError, TypeError):
        pass
    resolved = np.dtype("float32" if dtype is None else dtype)
    if resolved.str not in SUPPORTED:
        swapped = "" if resolved.isnative else ", in native byte order"
        raise TypeError(
            f"unsupported dtype `{resolved}`: "
            f"use bool, an integer, float16, float32, float64, complex64 or complex128{swapped}"
        )
    found = resolved, resolved.str
    if len(_seen) < 256:  # nobody uses more of them again and again
        _seen[dtype] = found
    return found
