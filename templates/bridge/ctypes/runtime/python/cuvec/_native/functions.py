"""The functions that the package declares, and copies between arrays."""

from collections.abc import Callable
from ctypes import CFUNCTYPE, POINTER, ArgumentError, c_int32
from typing import Any

from .array import Array
from .buffer import Buffer
from .docstring import docstring_of, signature_of
from .errors import revealed
from .kept import finish
from .library import function, kept_exception, library
from .number import Number, value_of
from .stream import Stream, StreamOfCall
from .structs import CoreFunction, CoreParameter, CoreResult

NUMBER, ARRAY, RESULT, NUMBER_RESULT = range(4)
PACKAGE = __name__.rpartition(".cuvec.")[0]

_assign = function("core_assign", Array("x"), Array("y"), Stream)
_functions = function("core_functions", results=(POINTER(CoreFunction), c_int32))
_factory: list[Callable[[Buffer], object]] = []


def assign(x: object, y: object, *, stream: object = None) -> None:
    """Copy the elements of `x` to `y`, wherever the two are.

    Parameters
    ----------
    x, y : array, any shape
        C-contiguous, of the same shape and dtype, not overlapping. `y` is written to.
    stream : int or stream object, optional
        Run on this CUDA stream and do not wait. Arrays in host memory are waited for.

    Raises
    ------
    TypeError
        Not arrays, or of different dtypes.
    ValueError
        Different shapes, overlapping, not contiguous, on two devices, or `y` is read-only.
    RuntimeError
        An error from CUDA.
    """
    _assign(x, y, stream)


def set_array_factory(factory: Callable[[Buffer], object]) -> None:
    """Set what makes an array of a `Buffer`, for results of functions."""
    _factory[:] = [factory]


class _OrNone:
    """An array that may be left out."""

    def __init__(self, name: str) -> None:
        self.array = Array(name)

    def from_param(self, value: Any) -> Any:
        return None if value is None else self.array.from_param(value)


def _type_of(parameter: CoreParameter, signature: str) -> Any:
    if parameter.kind == NUMBER:
        return Number("complex" in signature)
    name = parameter.name.decode()
    return Array(name) if parameter.kind == ARRAY else _OrNone(name or "out")


class _Call:
    """What all calls of one function have in common."""

    def __init__(self, number: int, row: CoreFunction) -> None:
        self.name = row.name.decode()
        self.number = c_int32(number)  # as C has it: to convert it takes a part of each call
        parameters = row.parameters[: row.count]
        self.results = [it.kind for it in parameters if it.kind >= RESULT]
        types = [_type_of(it, row.signature.decode()) for it in parameters]
        self.types: tuple[Any, ...] = (c_int32, *types, StreamOfCall, POINTER(CoreResult))
        self.native: Any = CFUNCTYPE(c_int32, *self.types)((f"core_call_{row.count}", library))

    def for_results(self, out: Any, stream: object, *arguments: object) -> tuple[object, ...]:
        """Call for several results, those in `out` or new ones."""
        given = self.spread(out)
        rows = (CoreResult * len(given))()
        made = [self.prepare(*each) for each in zip(self.results, given, rows, strict=True)]
        arguments = (*arguments, *given, stream)
        try:
            status = self.native(self.number, *arguments, rows)
        except ArgumentError as error:
            raise self.refused(error, arguments) from None
        if status:
            finish(status, arguments)
        return tuple([self.finish(*each) for each in zip(given, made, rows, strict=True)])

    def refused(self, error: ArgumentError, arguments: tuple[object, ...]) -> BaseException:
        return revealed(error, kept_exception(), self.types[1:], arguments)

    def spread(self, out: Any) -> tuple[Any, ...]:
        count = len(self.results)
        if out is None:
            return (None,) * count
        if not isinstance(out, tuple) or len(out) != count:
            raise TypeError(f"out must be a tuple of {count} arrays")
        return out

    @staticmethod
    def prepare(kind: int, given: object, row: CoreResult) -> Buffer | None:
        """Make the object that is to own the memory of a new array."""
        if given is not None or kind == NUMBER_RESULT:
            return None
        buffer, row.place = Buffer._without_memory()
        return buffer

    @staticmethod
    def finish(given: object, made: Buffer | None, row: CoreResult) -> object:
        if given is not None:
            return given
        return value_of(row.number) if made is None else _factory[0](made)


# Most functions are called in place: one more call would cost as much as a small kernel.
_WITHOUT_RESULTS = """\
def {name}{signature}:
    try:
        status = _native(_number, {arguments}stream, None)
    except _ArgumentError as error:
        raise _refused(error, ({arguments}stream,)) from None
    if status:
        _finish(status, ({arguments}))
"""
_WITH_A_RESULT = """\
def {name}{signature}:
    _row = _Row()
    _made = _prepare({kind}, out, _row)
    try:
        status = _native(_number, {arguments}out, stream, _row)
    except _ArgumentError as error:
        raise _refused(error, ({arguments}out, stream)) from None
    if status:
        _finish(status, ({arguments}out,))
    return _result(out, _made, _row)
"""
_WITH_RESULTS = """\
def {name}{signature}:
    return _for_results(out, stream, {arguments})
"""


def _define(number: int, row: CoreFunction) -> Callable[..., Any]:
    """Make a function with the signature that was declared."""
    call = _Call(number, row)
    names = [it.name.decode() for it in row.parameters[: row.count] if it.kind < RESULT]
    source = {0: _WITHOUT_RESULTS, 1: _WITH_A_RESULT}.get(len(call.results), _WITH_RESULTS).format(
        name=call.name,
        signature=signature_of(row),
        arguments="".join([f"{name}, " for name in names]),
        kind=call.results[0] if call.results else None,
    )
    scope = {
        "__name__": PACKAGE,
        "_ArgumentError": ArgumentError,
        "_finish": finish,
        "_for_results": call.for_results,
        "_native": call.native,
        "_number": call.number,
        "_prepare": call.prepare,
        "_refused": call.refused,
        "_result": call.finish,
        "_Row": CoreResult,
    }
    exec(source, scope)  # noqa: S102
    made: Any = scope[call.name]
    made.__doc__ = docstring_of(row)
    return made  # type: ignore[no-any-return]


_rows, _count = _functions()
declared = tuple(_define(number, _rows[number]) for number in range(_count))
signatures = {_rows[i].name.decode(): _rows[i].signature.decode() for i in range(_count)}
