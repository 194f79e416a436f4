"""Structs by value in programs of frameworks, which have no structs: as records of NumPy's, and as their numbers."""

from collections.abc import Sequence
from typing import Any

import numpy as np

from . import _core
from .declaration import Argument


def record_of(argument: Argument, value: Any) -> np.void:
    """Return the record that a dict or a record gives; TypeError, ValueError or OverflowError for others."""
    return from_bytes(argument.dtype, _core.struct_bytes(argument.name, argument.dtype, value))


def from_bytes(struct: str, data: bytes) -> np.void:
    """Return the record of a struct that has these bytes."""
    record: np.void = np.frombuffer(data, _core.structs[struct])[0]
    return record


def numbers_of(argument: Argument, value: Any) -> list[Any]:
    """Return all numbers of a struct, in the order of C; see `record_of`."""
    record = record_of(argument, value)
    names: Sequence[str] = record.dtype.names or ()
    return [number for name in names for number in np.ravel(record[name]).tolist()]


def from_numbers(argument: Argument, numbers: Sequence[Any]) -> dict[str, Any]:
    """Return the struct that has these numbers; ValueError for another count of them."""
    shapes = {
        name: field[0].shape for name, field in (_core.structs[argument.dtype].fields or {}).items()
    }
    wanted = sum(int(np.prod(shape)) for shape in shapes.values())
    if len(numbers) != wanted:
        raise ValueError(f"{argument.name} must have {wanted} numbers, not {len(numbers)}")
    left = iter(numbers)
    return {name: _shaped(left, shape) for name, shape in shapes.items()}


def _shaped(numbers: Any, shape: Sequence[int]) -> Any:
    """Return as many of the numbers, in nested lists of this shape."""
    if not shape:
        return next(numbers)
    return [_shaped(numbers, shape[1:]) for _ in range(shape[0])]
