"""The C library, and how its functions are declared."""

from collections.abc import Callable
from ctypes import (
    CDLL,
    CFUNCTYPE,
    POINTER,
    PYFUNCTYPE,
    ArgumentError,
    c_char_p,
    c_int32,
    py_object,
)
from importlib.util import find_spec
from typing import Any

from .errors import EXCEPTIONS, INTERRUPTED, revealed


def load() -> CDLL:
    """Load the library from the package's folder.

    It is no Python module, but Python's import system knows where it is: in an editable install
    that is elsewhere, and asking compiles it again if its sources have changed.
    """
    spec = find_spec("..libcore", __package__)
    if spec is None or spec.origin is None:
        raise ImportError("the package has no native library: it was not built, or only in part")
    return CDLL(spec.origin)


library = load()
declared: dict[str, Any] = {}  # functions of ctypes, by their names
_error = declared["core_error"] = CFUNCTYPE(c_char_p)(("core_error", library))


def failure(status: int) -> BaseException:
    """Return the exception that a status stands for."""
    if status == INTERRUPTED:
        raised: BaseException = kept_exception()
        return raised
    return EXCEPTIONS[status](_error().decode(errors="replace"))


def function(
    name: str, *parameters: Any, results: tuple[Any, ...] = (), keeps_gil: bool = False
) -> Callable[..., Any]:
    """Declare a function of core.h that returns a status.

    Parameters
    ----------
    name : str
    *parameters : ctypes types, or classes with `from_param`
        As in core.h, up to the first result.
    results : tuple of ctypes types
        What the last parameters point to: the values that a call returns.
    keeps_gil : bool
        The function uses Python's objects, so that other threads do not run during a call.

    Returns
    -------
    callable
        Raises what the status says.
    """
    prototype = PYFUNCTYPE if keeps_gil else CFUNCTYPE
    native: Any = prototype(c_int32, *parameters, *map(POINTER, results))((name, library))
    declared[name] = native

    def call(*arguments: object) -> None:
        try:
            status = native(*arguments)
        except ArgumentError as error:
            raise revealed(error, kept_exception(), parameters, arguments) from None
        if status:
            raise failure(status)

    return _with_results(call, results) if results else call


def maker(name: str, *parameters: Any) -> Callable[..., Any]:
    """Declare a function that returns a new object, or else a status as an `int`.

    The object belongs to Python from the beginning: a Ctrl-C finds no time when nobody has it.
    """
    native: Any = PYFUNCTYPE(py_object, *parameters)((name, library))
    declared[name] = native

    def call(*arguments: object) -> Any:
        try:
            made = native(*arguments)
        except ArgumentError as error:
            raise revealed(error, kept_exception(), parameters, arguments) from None
        if isinstance(made, int):
            raise failure(made)
        return made

    return call


def _with_results(call: Callable[..., None], results: tuple[Any, ...]) -> Callable[..., Any]:
    first = results[0]

    def call_for_one(*arguments: object) -> Any:
        place = first()
        call(*arguments, place)
        return place.__ctypes_from_outparam__()

    def call_for_all(*arguments: object) -> list[Any]:
        places = [result() for result in results]
        call(*arguments, *places)
        return [place.__ctypes_from_outparam__() for place in places]

    return call_for_one if len(results) == 1 else call_for_all


def with_gil(name: str, result: Any, *parameters: Any) -> Callable[..., Any]:
    """Declare a function that returns no status, and keep the GIL during calls of it."""
    native = declared[name] = PYFUNCTYPE(result, *parameters)((name, library))
    return native


kept_exception = with_gil("core_py_kept", py_object)
