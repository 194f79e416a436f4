"""What a program says of a call besides its arrays, as a text in the compiled program."""

import json
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

Number = bool | int | float | complex


@dataclass(frozen=True)
class Call:
    """One place in a program where a function is called.

    Attributes
    ----------
    numbers : dict
        Those that are known, by the names of arguments.
    traced : tuple of str
        Those that come after the arrays, each an array without axes.
    rank : int
        How many axes the first result has, without those that `jax.vmap` adds before them.
    """

    numbers: Mapping[str, Number]
    traced: tuple[str, ...]
    rank: int

    def write(self) -> str:
        """Return a text that says the same, and is the same in every process."""
        numbers = {name: _written(value) for name, value in self.numbers.items()}
        return json.dumps({"numbers": numbers, "traced": self.traced, "rank": self.rank})

    @classmethod
    def read(cls, text: bytes) -> "Call":
        """Return what `write` has written."""
        said = json.loads(text)
        numbers = {name: _read(value) for name, value in said["numbers"].items()}
        return cls(numbers, tuple(said["traced"]), said["rank"])


def _written(value: Number) -> Any:
    return [value.real, value.imag] if isinstance(value, complex) else value


def _read(value: Any) -> Number:
    number: Number = complex(*value) if isinstance(value, list) else value
    return number
