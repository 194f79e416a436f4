"""One measured figure, as it goes into the JSON file."""

from __future__ import annotations

from typing import NamedTuple

from clock import Times


class Record(NamedTuple):
    """Seconds that `subject` takes for `work` on arrays of `size` bytes, `low` and `high` being the quartiles."""

    subject: str
    work: str
    size: int
    median: float
    low: float
    high: float


def record(subject: str, work: str, size: int, times: Times) -> Record:
    return Record(subject, work, size, *times)
