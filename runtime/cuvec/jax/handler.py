"""The handler that XLA calls on its own threads when a program runs, and the text that identifies a call in the program."""

import ctypes
import json
import struct
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass
from functools import lru_cache
from itertools import product
from typing import Any

import numpy as np

from .. import _core
from ..convert import asarray
from ..declaration import Argument, Declaration
from ..record import from_bytes
from . import abi
from .abi import Block

Number = bool | int | float | complex
# An option is a string, a struct a NumPy record, and an optional array may be None.
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


LEGACY_DEFAULT_STREAM = 1
_CODES = {
    TypeError: abi.INVALID_ARGUMENT,
    ValueError: abi.INVALID_ARGUMENT,
    OverflowError: abi.INVALID_ARGUMENT,
    MemoryError: abi.RESOURCE_EXHAUSTED,
}


class Handler:
    """The functions as XLA calls them: what the native module does not do, and all errors.

    `in_graphs` tells XLA that it may capture the calls as a part of a CUDA graph.
    """

    def __init__(
        self,
        functions: Mapping[str, tuple[Callable[..., Any], Declaration]],
        on_gpu: bool,
        in_graphs: bool = False,
    ) -> None:
        self.functions = functions
        self.on_gpu = on_gpu
        self.in_graphs = in_graphs
        self.pointer: Any = abi.HANDLER(self._called)  # kept: XLA has its address only
        self._said = lru_cache(256)(Call.read)
        address = ctypes.cast(self.pointer, ctypes.c_void_p).value
        assert address is not None
        # the native module's, which XLA calls for all functions
        self.native: int = _core.xla_handler(on_gpu, in_graphs, address)

    def _called(self, pointer: Any) -> int | None:
        frame = pointer.contents
        try:
            if metadata := _metadata(frame):
                _describe(frame, metadata, abi.IN_GRAPHS if self.in_graphs else 0)
            else:
                self._run(frame)
        except BaseException as error:  # noqa: BLE001  # the caller is in C
            return _new_error(frame, error)
        return None

    def _run(self, frame: Any) -> None:
        call = self._said(_text(frame.attributes))
        function, declaration = self.functions[call.name]
        given_arrays = [it for it in declaration.arrays if it.name not in call.numbers]
        count = len(given_arrays)
        arguments, results = _blocks(frame.arguments), _blocks(frame.results)
        stream = _stream(frame) if self.on_gpu else None
        numbers, arrays = dict(call.numbers), arguments[:count]
        shape = results[0].shape
        for index in product(*map(range, shape[: len(shape) - call.rank])):
            for name, block in zip(call.traced, arguments[count:], strict=True):
                numbers[name] = _number(block.at(index), stream)
            left = iter([block.at(index) for block in results])
            given = [block.at(index) for block in arrays]
            values = {**numbers, **_arrays(given_arrays, given, left, stream)}
            out = [_view(block, True, stream) for block in left]
            declaration.call(function, values, out, stream=stream)


def _arrays(
    arguments: list[Argument], given: list[Block], results: Iterator[Block], stream: int | None
) -> dict[str, Any]:
    """Return the arrays by name. What is written in place is the next of the results."""
    found = {}
    for argument, before in zip(arguments, given, strict=True):
        block = next(results) if argument.written else before
        if argument.direction == "inout" and block.address != before.address:
            raise RuntimeError(f"XLA has put {argument.name} in two places")
        found[argument.name] = _view(block, argument.written, stream)
    return found


def _view(block: Block, writes: bool, stream: int | None) -> Any:
    return block.on_host(writes) if stream is None else block.on_gpu(writes, stream)


def _number(block: Block, stream: int | None) -> Any:
    """Return a number that the program has calculated, once it is there."""
    view = _view(block, False, stream)
    return (view if stream is None else asarray(view)).item()


def _metadata(frame: Any) -> Any:
    """Return where to describe the handler, if that is what the call is for."""
    address = frame.extension
    while address:
        extension = abi.Extension.from_address(address)
        if extension.type == abi.METADATA:
            return extension.metadata.contents
        address = extension.next
    return None


def _describe(frame: Any, metadata: Any, traits: int) -> None:
    """Say which version of the interface the handler is for: XLA's, if it is known."""
    asked, said = frame.api.contents.version, metadata.version
    if asked.major != abi.MAJOR:
        raise RuntimeError(
            f"XLA's foreign functions have version {asked.major}.{asked.minor}, which is not known "
            "here: update the package's runtime, or install an older jax"
        )
    said.major, said.minor = asked.major, asked.minor
    metadata.traits = traits
    if metadata.struct_size >= ctypes.sizeof(metadata):
        metadata.state = 0


def _blocks(buffers: Any) -> list[Block]:
    return [Block.of(buffers.items[i].contents) for i in range(buffers.size)]


def _text(attributes: Any) -> bytes:
    """Return the only attribute that there is."""
    text = attributes.items[0].contents
    return ctypes.string_at(text.address, text.size)


def _stream(frame: Any) -> int:
    """Return the CUDA stream that the program runs on."""
    wanted = abi.GetStream(ctypes.sizeof(abi.GetStream), None, frame.context, None)
    if frame.api.contents.get_stream(ctypes.byref(wanted)):
        raise RuntimeError("XLA has no CUDA stream for this call")
    return wanted.stream or LEGACY_DEFAULT_STREAM


def _new_error(frame: Any, error: BaseException) -> int | None:
    """Return an XLA error with the message of a Python exception."""
    code = next((it for kind, it in _CODES.items() if isinstance(error, kind)), abi.INTERNAL)
    message = str(error) or type(error).__name__
    new = abi.NewError(ctypes.sizeof(abi.NewError), None, message.encode(), code)
    address: int | None = frame.api.contents.new_error(ctypes.byref(new))
    return address
