"""`CuVec`: a NumPy array in memory that the GPU reaches too."""

from collections.abc import Iterable
from typing import TYPE_CHECKING, Any, Literal, Self, SupportsIndex

import numpy as np

from . import interop
from ._core import Buffer
from .copying import copy_of, restore
from .memory import address_of, array_over, as_shape, buffer_of, extent_of, resolve
from .pointer import Pointer
from .view import BlockView

if TYPE_CHECKING:
    from numpy.typing import DTypeLike
    from typing_extensions import CapsuleType

    from .memory import MemoryKind


class CuVec(BlockView):
    """NumPy array over memory that the CPU and the GPU share.

    A CuVec is a view of such memory: slices, reshaped and transposed arrays, in-place results and
    copies are CuVec. What NumPy allocates itself (results of arithmetic and of its functions,
    ``astype``, indexing with arrays) is a plain ``numpy.ndarray``. Where NumPy insists on the class
    (``np.asanyarray(x, dtype)``, ``np.array(x, subok=True)``), the result has no ``ptr`` and nothing
    else of the GPU's, is pickled as an ndarray, and `cuvec.asarray` copies it.

    Parameters
    ----------
    shape, dtype, memory
        As for `cuvec.empty`.
    """

    def __new__(
        cls,
        shape: SupportsIndex | Iterable[SupportsIndex],
        dtype: "DTypeLike | None" = "float32",
        memory: "MemoryKind" = "managed",
    ) -> Self:
        if isinstance(shape, np.ndarray) and shape.ndim:
            raise TypeError("the shape is an array: use cuvec.asarray for a CuVec of its elements")
        return cls._allocate(shape, dtype, memory, False)

    @classmethod
    def _allocate(
        cls,
        shape: SupportsIndex | Iterable[SupportsIndex],
        dtype: "DTypeLike | None",
        memory: "MemoryKind",
        zero: bool,
    ) -> Self:
        resolved, typestr = resolve(dtype)
        shape = shape if type(shape) is tuple else as_shape(shape)
        array: Self = array_over(cls, shape, resolved, Buffer(shape, typestr, memory, zero))
        return array

    @property
    def cuvec(self) -> Buffer:
        """The raw block of memory that this array is a view of."""
        block = buffer_of(self)
        if block is None:
            raise AttributeError("array is not in cuvec memory: use cuvec.asarray")
        return block

    @property
    def memory(self) -> "MemoryKind":
        """Kind of memory: ``"managed"`` or ``"pinned"``."""
        return self.cuvec.memory

    @property
    def ptr(self) -> int:
        """Address of the first element, the same on the CPU and the GPU."""
        self.cuvec  # noqa: B018  # refuses memory that no GPU knows
        return address_of(self)

    def pointer(self) -> Pointer:
        """Return a typed pointer to the first element; ValueError unless C-contiguous."""
        if not self.flags.c_contiguous:
            raise ValueError(
                "array is not C-contiguous, a pointer would count other elements: use .copy()"
            )
        block = self.cuvec
        return Pointer._at(block, self.ptr - block.ptr, self.dtype, self.flags.writeable)

    def prefetch(self, where: Literal["device", "host"], stream: object = None) -> None:
        """Move the memory to where it is used next: a hint, and nothing at all without a GPU."""
        block = self.cuvec
        block.prefetch(where, *extent_of(self, block), stream)

    @property
    def __cuda_array_interface__(self) -> dict[str, Any]:
        return interop.cuda_array_interface(self, self.cuvec)

    def __dlpack__(
        self,
        *,
        stream: int | None = None,
        max_version: tuple[int, int] | None = None,
        dl_device: tuple[int, int] | None = None,
        copy: bool | None = None,
    ) -> "CapsuleType":
        array = self.copy() if copy else self
        return interop.dlpack(array, stream, max_version, dl_device, bool(copy))

    def __dlpack_device__(self) -> tuple[int, int]:  # type: ignore[override]  # not only the CPU
        return interop.dlpack_device(self)

    def copy(self, order: Any = "C") -> Self:
        """Return a copy in memory of the same kind; `order` as for ``numpy.ndarray.copy``."""
        block = buffer_of(self)
        if block is None:  # inside a NumPy function
            plain: Any = self.view(np.ndarray).copy(order)
            return plain  # type: ignore[no-any-return]
        return copy_of(self, type(self), block.memory, "C" if order is None else order)

    def __copy__(self) -> Self:
        return self.copy("K")

    def __deepcopy__(self, memo: object, /) -> Self:
        return self.copy("K")

    def __reduce_ex__(self, protocol: SupportsIndex, /) -> tuple[Any, ...]:
        # NumPy's own pickling does the work, out of band too; loading copies into our memory
        if buffer_of(self) is None:
            return self.view(np.ndarray).__reduce_ex__(protocol)  # type: ignore[return-value]
        made_of = (self.view(np.ndarray), type(self), self.memory)
        return restore, (*made_of, vars(self)) if vars(self) else made_of
