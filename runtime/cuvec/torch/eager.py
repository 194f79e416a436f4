"""Calls in eager programs, which need not go through PyTorch's dispatcher: that takes longer than a launch."""

import math
from collections.abc import Callable
from typing import Any

from ..declaration import Argument
from .kernel import Kernel, increment_version, stream_of, torch
from .state import is_seen, knows_all

_CONSTANTS = {"inf": math.inf, "nan": math.nan}  # as Python writes the defaults of parameters
# A function of the declared parameters: to collect arguments, and to spread them again, would take as
# long as all else here.
_SOURCE = """\
def make(_function, _operator, _is_seen, _Tensor, _stream_of, _increment_version):
    def {name}({parameters}):
        if not _is_seen() and {are_tensors}:
            _index = {first}.get_device()
            if _index >= 0:
                try:
                    _function({arguments}, stream=_stream_of(_index))
                except (BufferError, TypeError, ValueError):
                    pass  # before anything is written; the operator takes more, or says why not
                else:
                    {end}
        return _operator({arguments})

    return {name}
"""


def may_be_direct(kernel: Kernel) -> bool:
    """Return whether calls of a function need not be an operator's.

    One that returns something is always an operator: what it makes takes longer than the way to it.
    """
    has_tensor = not all(it.optional for it in kernel.declaration.arrays)
    return kernel.makes_nothing and knows_all and has_tensor


def direct(kernel: Kernel, operator: Callable[..., Any]) -> Callable[..., Any]:
    """Return a function that calls the operator, or its kernel where PyTorch would do no more.

    That is so for tensors on a GPU without a derivative, of no class but PyTorch's own, while nothing
    is at work that has to see the call.
    """
    declaration = kernel.declaration
    tensors = [it.name for it in declaration.arrays if not it.optional]
    versions = [
        f"{it.name} is None or _increment_version({it.name})"
        if it.optional
        else f"_increment_version({it.name})"
        for it in declaration.arrays
        if it.written
    ]
    source = _SOURCE.format(
        name=declaration.name,
        parameters=str(declaration.signature())[1:-1],
        arguments=", ".join(
            [f"{it.name}={it.name}" if it.keyword_only else it.name for it in declaration.arguments]
        ),
        are_tensors=" and ".join(map(_is_tensor, declaration.arrays)),
        first=tensors[0],
        end="; ".join([*versions, "return"]),
    )
    made: dict[str, Any] = {}
    exec(compile(source, f"<{operator}>", "exec"), globals() | _CONSTANTS, made)  # noqa: S102
    found: Callable[..., Any] = made["make"](
        kernel.function, operator, is_seen, torch.Tensor, stream_of, increment_version
    )
    return found


def _is_tensor(argument: Argument) -> str:
    condition = f"type({argument.name}) is _Tensor"
    return f"({argument.name} is None or {condition})" if argument.optional else condition
