"""Typed addresses for C functions."""

from functools import total_ordering
from operator import index
from typing import TYPE_CHECKING, Any, NoReturn

import numpy as np

from .memory import EXTENSIONS, array_over

if TYPE_CHECKING:
    from typing import SupportsIndex

    from ._core import Buffer


def _of_ctypes(dtype: "np.dtype[Any]") -> Any:
    """Return the type of elements in C, which has no small floats; ctypes has no complex numbers, but two reals."""
    if dtype.kind == "c":
        dtype = np.dtype(f"f{dtype.itemsize // 2}")
    elif dtype.name == "float16" or dtype.name in EXTENSIONS:
        dtype = np.dtype(f"u{dtype.itemsize}")
    return np.ctypeslib.as_ctypes_type(dtype)


@total_ordering
class Pointer:
    """Address of one element of a block of array memory, counting in elements as C does.

    ``p + 2`` is the address two elements further, ``p - q`` a number of elements, ``p[2]`` and
    ``p[2] = v`` read and write on the host, ``int(p)`` is the bare address. Offsets may be
    negative and may leave the array `p` was made from, never the block that `CuVec` allocated: out
    of it is an IndexError. Whatever makes no sense of an address (``p * 2``, ``p + 0.5``, ``p - q``
    of two dtypes) is a TypeError; relating two blocks is a ValueError.

    A Pointer goes to ctypes functions as it is, also for ``argtypes`` of ``c_void_p`` and
    ``POINTER(c_float)``. It owns a share of the memory: the block stays as long as a Pointer or an
    array of it is left. C code has no such share: keep a Pointer while C keeps the address.

    Made by `CuVec.pointer`.
    """

    __slots__ = ("_block", "_elements", "_index")
    __array_ufunc__ = None  # numpy.int64(2) + p comes here
    __iter__ = None  # an address has no end

    _block: "Buffer"
    _elements: "np.ndarray[Any, np.dtype[Any]]"
    _index: int

    def __init__(self) -> None:
        raise TypeError("a Pointer is made by CuVec.pointer()")

    @classmethod
    def _at(
        cls, block: "Buffer", offset: int, dtype: "np.dtype[Any]", writeable: bool
    ) -> "Pointer":
        """Point at byte `offset` of `block`."""
        index, phase = divmod(offset, dtype.itemsize)
        count = max(block.nbytes - phase, 0) // dtype.itemsize
        elements = array_over(np.ndarray, (count,), dtype, block, phase)
        elements.flags.writeable = writeable
        return cls._make(block, elements, index)

    @classmethod
    def _make(
        cls, block: "Buffer", elements: "np.ndarray[Any, np.dtype[Any]]", index: int
    ) -> "Pointer":
        self = object.__new__(cls)
        self._block, self._elements, self._index = block, elements, index
        return self

    @property
    def dtype(self) -> "np.dtype[Any]":
        """Type of the elements."""
        return self._elements.dtype

    def __int__(self) -> int:
        start: int = self._elements.__array_interface__["data"][0]
        return start + self._index * self._elements.itemsize

    def _move(self, offset: "SupportsIndex") -> int:
        """Return the place `offset` elements further; one past the last is a valid place."""
        place = self._index + index(offset)
        if not 0 <= place <= self._elements.size:
            raise IndexError(f"offset {offset} is out of range of {self!r}")
        return place

    def __add__(self, offset: "SupportsIndex") -> "Pointer":
        try:
            place = self._move(offset)
        except TypeError:
            return NotImplemented
        return self._make(self._block, self._elements, place)

    __radd__ = __add__

    def __sub__(self, other: "Pointer | SupportsIndex") -> Any:
        if isinstance(other, Pointer):
            return self._distance(other)
        try:
            return self + -index(other)
        except TypeError:
            return NotImplemented

    def _distance(self, other: "Pointer") -> int:
        if self.dtype != other.dtype:
            raise TypeError(f"pointers to `{self.dtype}` and `{other.dtype}` have no distance")
        self._same_block(other)
        elements, rest = divmod(int(self) - int(other), self._elements.itemsize)
        if rest:
            raise ValueError("pointers are not a whole number of elements apart")
        return elements

    def _same_block(self, other: "Pointer") -> None:
        if self._block is not other._block:
            raise ValueError("pointers into two blocks of memory have no order and no distance")

    def __getitem__(self, offset: "SupportsIndex") -> Any:
        return self._elements[self._move(offset)]

    def __setitem__(self, offset: "SupportsIndex", value: object) -> None:
        self._elements[self._move(offset)] = value

    def __eq__(self, other: object) -> bool:
        if not isinstance(other, Pointer):
            return NotImplemented
        return int(self) == int(other) and self.dtype == other.dtype

    def __lt__(self, other: "Pointer") -> bool:
        if not isinstance(other, Pointer):
            return NotImplemented
        if self.dtype != other.dtype:
            raise TypeError(f"pointers to `{self.dtype}` and `{other.dtype}` have no order")
        self._same_block(other)
        return int(self) < int(other)

    def __hash__(self) -> int:
        return hash((int(self), self.dtype))

    def __repr__(self) -> str:
        place = f"element {self._index} of {self._elements.size}"
        return f"<Pointer to {self.dtype} at {int(self):#x}, {place}>"

    def __reduce__(self) -> NoReturn:
        raise TypeError("a Pointer is an address in this process: pickle the array instead")

    @property
    def _as_parameter_(self) -> Any:
        """The ctypes pointer that stands for this one in a call."""
        import ctypes  # here, so that importing the package stays cheap

        kind = ctypes.POINTER(_of_ctypes(self.dtype))
        parameter: Any = ctypes.cast(int(self), kind)
        parameter._owner = self
        return parameter
