"""Subject of a measurement."""

from __future__ import annotations

from collections.abc import Callable
from typing import NamedTuple


class Subject(NamedTuple):
    """Some work, and who does it. `call` returns when it is done."""

    work: str
    who: str
    call: Callable[[], object]
    amount: float = 0
    """How much a call does, for a rate; without one, the time is shown."""
    unit: str = "ms"


class Figure(NamedTuple):
    work: str
    who: str
    seconds: float
    amount: float
    unit: str

    def __str__(self) -> str:
        value = self.amount / self.seconds if self.amount else 1000 * self.seconds
        return f"{value:.3g} {self.unit}" if value < 1000 else f"{value:,.0f} {self.unit}"
