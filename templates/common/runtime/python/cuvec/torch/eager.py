"""Calls in eager programs, which need not go through PyTorch's dispatcher: that takes longer than a launch."""

from collections.abc import Callable, Sequence
from typing import Any

from .kernel import Kernel, increment_version, stream_of
from .library import torch

_is_compiling = torch.compiler.is_dynamo_compiling
_forward_ad = torch.autograd.forward_ad
_profiler = torch.autograd.profiler
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
_knows_all = (
    all(_questions)
    and hasattr(_forward_ad, "_current_level")
    and hasattr(_profiler, "_is_profiler_enabled")
)


def eager(kernel: Kernel, operator: Callable[..., Any]) -> Callable[..., Any]:
    """Return a function that calls the operator, or its kernel where PyTorch would do no more.

    That is so for tensors on a GPU without a derivative, of no class but PyTorch's own, while nothing
    is at work that has to see the call. A function that returns something is always an operator: what it
    makes takes longer than the way to it.
    """

    def call(*args: Any, **kwargs: Any) -> Any:
        return operator(*args, **kwargs)

    return _direct(kernel, operator) if kernel.makes_nothing and _knows_all else call


def _direct(kernel: Kernel, operator: Callable[..., Any]) -> Callable[..., Any]:
    function, written = kernel.function, kernel.written
    positions = [position for position, _ in kernel.tensors]
    first, last = positions[0], positions[-1]
    dispatch_modes, function_modes, transforms, is_tracing = _questions
    tensor_class = torch.Tensor

    def gpu_of(args: Sequence[Any]) -> int:
        if len(args) <= last:
            return -1
        for position in positions:
            if type(args[position]) is not tensor_class:
                return -1
        index: int = args[first].get_device()
        return index

    def call(*args: Any, **kwargs: Any) -> Any:
        is_seen = (
            _is_compiling()
            or dispatch_modes()
            or function_modes()
            or transforms()
            or is_tracing()
            or _forward_ad._current_level >= 0
            or _profiler._is_profiler_enabled
        )
        if not is_seen and (index := gpu_of(args)) >= 0:
            try:
                function(*args, **kwargs, stream=stream_of(index))
            except (BufferError, TypeError, ValueError):
                pass  # before anything is written; the operator takes more, or says why it does not
            else:
                for position in written:
                    increment_version(args[position])
                return None
        return operator(*args, **kwargs)

    return call
