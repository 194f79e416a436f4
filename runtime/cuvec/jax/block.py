"""Memory of XLA's, as arrays that functions take."""

import math
from collections.abc import Sequence
from typing import Any, NamedTuple

import numpy as np

from .abi import TYPESTRS, Buffer


class Exporter:
    """An array at an address, for as long as the call of XLA's that it is of."""

    def __init__(self, protocol: str, interface: dict[str, Any]) -> None:
        setattr(self, protocol, interface)


_DTYPES = {code: np.dtype(typestr) for code, typestr in TYPESTRS.items()}


class Block(NamedTuple):
    """An array in the order of C; `dtype` is NumPy's."""

    address: int
    dtype: "np.dtype[Any]"
    shape: tuple[int, ...]

    @classmethod
    def of(cls, buffer: Buffer) -> "Block":
        """Read what XLA says of an array; TypeError for a dtype that there is not elsewhere."""
        dtype = _DTYPES.get(buffer.dtype)
        if dtype is None:
            raise TypeError(f"XLA's dtype {buffer.dtype} is none that functions have")
        return cls(buffer.data or 0, dtype, tuple(buffer.dims[: buffer.rank]))

    def at(self, index: Sequence[int]) -> "Block":
        """Return the part at an index of the first axes; those of size 1 are broadcast."""
        if not index:
            return self
        loop, shape = self.shape[: len(index)], self.shape[len(index) :]
        position = 0
        for i, size in zip(index, loop, strict=True):
            position = position * size + (0 if size == 1 else i)
        address = self.address + position * math.prod(shape) * self.dtype.itemsize
        return Block(address, self.dtype, shape)

    def on_host(self, writes: bool) -> Any:
        """Return a NumPy array over it."""
        if 0 in self.shape:
            return np.empty(self.shape, self.dtype)
        return np.asarray(Exporter("__array_interface__", self._interface(writes)))

    def on_gpu(self, writes: bool, stream: int) -> Any:
        """Return an array on the GPU, where it is ready after what is on a stream."""
        interface = {**self._interface(writes), "stream": stream}
        return Exporter("__cuda_array_interface__", interface)

    def _interface(self, writes: bool) -> dict[str, Any]:
        return {
            "shape": self.shape,
            "typestr": self.dtype.str,
            "data": (self.address, not writes),
            "version": 3,
        }
