"""Calls in eager programs, which need not go through PyTorch's dispatcher: that takes longer than a launch."""

import math
from collections.abc import Callable
from typing import Any

from ..declaration import Argument
from .kernel import Kernel, increment_version, stream_of, torch

_is_compiling = torch.compiler.is_dynamo_compiling
_forward_ad = torch.autograd.forward_ad
_profiler = torch.autograd.profiler
_CONSTANTS = {"inf": math.inf, "nan": math.nan}  # as Python writes the defaults of parameters
# Modes for operators and for functions, transforms such as `vmap`, and `torch.jit.trace`.
_questions: list[Any] = [
    getattr(torch._C, name, None)
    for name in (
        "_len_torch_dispatch_stack",
        "_len_torch_function_stack",
        "_are_functorch_transforms_active",
        "_is_tracing",
    )
]
_dispatch_modes, _function_modes, _transforms, _is_tracing = _questions
_knows_all = (
    all(_questions)
    and hasattr(_forward_ad, "_current_level")
    and hasattr(_profiler, "_is_profiler_enabled")
)
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


def eager(kernel: Kernel, operator: Callable[..., Any]) -> Callable[..., Any]:
    """Return a function that calls the operator, or its kernel where PyTorch would do no more.

    That is so for tensors on a GPU without a derivative, of no class but PyTorch's own, while nothing
    is at work that has to see the call. A function that returns something is always an operator: what it
    makes takes longer than the way to it.
    """

    def call(*args: Any, **kwargs: Any) -> Any:
        return operator(*args, **kwargs)

    has_tensor = not all(it.optional for it in kernel.declaration.arrays)
    return _direct(kernel, operator) if kernel.makes_nothing and _knows_all and has_tensor else call


def _direct(kernel: Kernel, operator: Callable[..., Any]) -> Callable[..., Any]:
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
    direct: Callable[..., Any] = made["make"](
        kernel.function, operator, _is_seen, torch.Tensor, stream_of, increment_version
    )
    return direct


def _is_tensor(argument: Argument) -> str:
    condition = f"type({argument.name}) is _Tensor"
    return f"({argument.name} is None or {condition})" if argument.optional else condition


def _is_seen() -> bool:
    """Return whether anything is at work that has to see calls."""
    seen: bool = (
        _is_compiling()
        or _dispatch_modes()
        or _function_modes()
        or _transforms()
        or _is_tracing()
        or _forward_ad._current_level >= 0
        or _profiler._is_profiler_enabled
    )
    return seen
