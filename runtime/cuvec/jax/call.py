"""What a program says of a call besides its arrays, as a text in the compiled program."""

import json
import struct
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

import numpy as np

from ..declaration import Argument, Declaration
from ..record import from_bytes

Number = bool | int | float | complex
# An option is a text, a struct a record of NumPy's, and an optional array may be None.
Value = Number | str | tuple[Number, ...] | np.void | None


@dataclass(frozen=True)
class Call:
    """One place in a program where a function is called.

    Attributes
    ----------
    name : str
        The function's.
    numbers : dict
        Those that are known, by the names of arguments, structs among them, and None for an optional array that is None.
    traced : tuple of str
        Those that come after the arrays, each an array without axes.
    rank : int
        How many axes the first result has, without those that `jax.vmap` adds before them.
    """

    name: str
    numbers: Mapping[str, Value]
    traced: tuple[str, ...]
    rank: int

    def write(self, declaration: Declaration) -> str:
        """Return a text that says the same, and is the same in every process.

        Its first line is for the native module: the name, the rank, and a word for each argument and
        each result. It is empty where the call is nothing for that.
        """
        dtypes = {it.name: it.dtype for it in declaration.arguments}
        numbers = {name: _written(value, dtypes[name]) for name, value in self.numbers.items()}
        said = {"name": self.name, "numbers": numbers, "traced": self.traced, "rank": self.rank}
        return f"{self._for_the_native_module(declaration)}\n{json.dumps(said)}"

    @classmethod
    def read(cls, text: bytes) -> "Call":
        """Return what `write` has written."""
        said = json.loads(text.partition(b"\n")[2])
        numbers = {name: _read(value) for name, value in said["numbers"].items()}
        return cls(said["name"], numbers, tuple(said["traced"]), said["rank"])

    def _for_the_native_module(self, declaration: Declaration) -> str:
        numbers = [
            number
            for it in self.numbers.values()
            for number in (it if isinstance(it, tuple) else (it,))
        ]
        if self.traced or any(abs(it) >> 64 for it in numbers if type(it) is int):
            return ""
        words = [
            self._word_of(it) if it.name in self.numbers else it.direction
            for it in declaration.arguments
        ]
        return " ".join([self.name, str(self.rank), *words, *("out" for _ in declaration.results)])

    def _word_of(self, argument: Argument) -> str:
        value = self.numbers[argument.name]
        if isinstance(value, np.void):
            return f"s{value.tobytes().hex()}"
        if isinstance(value, tuple):
            return ",".join(map(_word, value))
        return _word(argument.choices.index(value) if isinstance(value, str) else value)


def _word(value: Number | None) -> str:
    """Return a letter for the type, and the value: of a float its bits, the highest first."""
    match value:
        case None:
            return "none"
        case bool():
            return f"b{value:d}"
        case int():
            return f"i{value}"
        case float():
            return f"f{struct.pack('>d', value).hex()}"
    return f"c{struct.pack('>dd', value.real, value.imag).hex()}"


def _written(value: Value, dtype: str) -> Any:
    if isinstance(value, np.void):
        return {"struct": dtype, "bytes": value.tobytes().hex()}
    if isinstance(value, tuple):
        return {"items": [_written(it, dtype) for it in value]}
    return [value.real, value.imag] if isinstance(value, complex) else value


def _read(value: Any) -> Value:
    if isinstance(value, dict) and "struct" in value:
        return from_bytes(value["struct"], bytes.fromhex(value["bytes"]))
    if isinstance(value, dict):
        items: list[Any] = [_read(it) for it in value["items"]]
        return tuple(items)
    number: Value = complex(*value) if isinstance(value, list) else value
    return number
