"""Rules that keep `CuVec` to its memory: views of it stay CuVec, arrays that NumPy allocates do not."""

from collections.abc import Callable
from functools import wraps
from typing import TYPE_CHECKING, Any

import numpy as np

from .memory import buffer_of

_getitem = np.ndarray.__getitem__
_NUMPY_1 = np.__version__.startswith("1.")


class BlockView(np.ndarray[Any, np.dtype[Any]]):
    """ndarray subclass whose instances are views of a block of our memory.

    NumPy gives the class of an operand to arrays that it allocates as well; here those become plain
    ndarrays. Only ``np.array(x, subok=True)`` and ``foreign.view(cls)`` get past that.
    """

    def __getitem__(self, key: Any, /) -> Any:
        out = _getitem(self, key)
        if isinstance(out, BlockView) and type(out.base) is np.ndarray:  # indexed with arrays
            return plain(out)
        return out

    def __array_wrap__(
        self, array: Any, context: Any = None, return_scalar: bool = False, /
    ) -> Any:
        if buffer_of(array) is not None:  # an output argument, or a squeezed view
            return array if isinstance(array, BlockView) else array.view(type(self))
        if array.ndim == 0 and (return_scalar or _NUMPY_1):
            return array[()]
        return plain(array)

    def __array_function__(self, func: Any, types: Any, args: Any, kwargs: Any) -> Any:
        result = super().__array_function__(func, types, args, kwargs)
        if isinstance(result, list | tuple):
            make = getattr(result, "_make", type(result))  # a named tuple has _make
            return make(map(plain, result))
        return plain(result)

    if not TYPE_CHECKING:  # checkers know the types of ndarray's properties

        @property
        def flat(self):
            return self.view(np.ndarray).flat

        @flat.setter
        def flat(self, values):
            self.view(np.ndarray).flat = values

        @property
        def imag(self):  # zeros, of a real array
            return plain(super().imag)

        @imag.setter
        def imag(self, values):
            self.view(np.ndarray).imag = values


def plain(result: Any) -> Any:
    """Return a BlockView over memory that is not ours as an ndarray, anything else as it is."""
    if isinstance(result, BlockView) and buffer_of(result) is None:
        return result.view(np.ndarray)
    return result


def _allocating(method: Callable[..., Any]) -> Callable[..., Any]:
    """Wrap an ndarray method that may allocate its result."""

    @wraps(method)
    def wrapper(self: BlockView, *args: Any, **kwargs: Any) -> Any:
        return plain(method(self, *args, **kwargs))

    return wrapper


_ALLOCATING = """argmax argmin argpartition argsort astype byteswap choose compress dot flatten
ravel repeat reshape round searchsorted take"""
for _name in _ALLOCATING.split():
    setattr(BlockView, _name, _allocating(getattr(np.ndarray, _name)))
