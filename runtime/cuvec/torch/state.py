"""State of PyTorch during a call: compilation, modes, transforms, tracing, profiling."""

from collections.abc import Callable
from typing import Any

from .kernel import torch

is_compiling = torch.compiler.is_dynamo_compiling
functorch: Any = torch._C._functorch
forward_ad: Any = torch.autograd.forward_ad
_profiler: Any = torch.autograd.profiler
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
knows_all: bool = (
    all(_questions)
    and hasattr(forward_ad, "_current_level")
    and hasattr(_profiler, "_is_profiler_enabled")
    and hasattr(torch._C, "_dispatch_keys")
)
# Transforms of `torch.func`. A C function: one in Python would be one more for each call.
are_transforms_active: Callable[[], bool] = _transforms or (lambda: False)


def is_forward_mode() -> bool:
    """Return whether tensors may have tangents."""
    level: int = getattr(forward_ad, "_current_level", 0)
    return level >= 0


def is_transformed() -> bool:
    """Return whether derivatives are asked for that PyTorch's operators do not know."""
    return are_transforms_active() or is_forward_mode()


def is_seen() -> bool:
    """Return whether anything is at work that has to see calls, if PyTorch `knows_all` of them."""
    seen: bool = (
        is_compiling()
        or _dispatch_modes()
        or _function_modes()
        or _transforms()
        or _is_tracing()
        or forward_ad._current_level >= 0
        or _profiler._is_profiler_enabled
    )
    return seen
