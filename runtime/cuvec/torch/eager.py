"""Calls in eager programs, which need not go through PyTorch's dispatcher: that takes longer than a launch."""

import math
from collections.abc import Callable, Sequence
from functools import reduce
from operator import or_
from typing import Any

from ..declaration import NO_DEFAULT, Argument
from .kernel import Kernel, stream_of, torch
from .state import is_seen, knows_all

_CONSTANTS = {"inf": math.inf, "nan": math.nan}  # as Python writes the defaults of parameters
_PLAIN = {torch.Tensor, torch.nn.Parameter}
# A function of the declared parameters: to collect arguments, and to spread them again, would take as
# long as all else here.
_SOURCE = """\
def make(_function, _operator, _is_seen, _Tensor, _stream_of):
    def {name}({parameters}):
        if not _is_seen() and {are_tensors}:
            _index = {first}.get_device()
            if _index >= 0:
                try:
                    _function({arguments}, stream=_stream_of(_index))
                except (BufferError, TypeError, ValueError):
                    pass  # before anything is written; the operator takes more, or says why not
                else:
                    return
        return _operator({arguments})

    return {name}
"""


def may_be_direct(kernel: Kernel) -> bool:
    """Return whether `direct` takes a function: one that returns nothing."""
    has_tensor = not all(it.optional for it in kernel.declaration.arrays)
    return kernel.makes_nothing and knows_all and has_tensor


def direct(kernel: Kernel, operator: Callable[..., Any]) -> Callable[..., Any]:
    """Return a function that calls the operator, or its kernel where PyTorch would do no more.

    That is so for tensors on a GPU without a derivative, of no class but PyTorch's own, while nothing
    is at work that has to see the call.
    """
    declaration = kernel.declaration
    tensors = [it.name for it in declaration.arrays if not it.optional]
    source = _SOURCE.format(
        name=declaration.name,
        parameters=str(declaration.signature())[1:-1],
        arguments=", ".join(
            [f"{it.name}={it.name}" if it.keyword_only else it.name for it in declaration.arguments]
        ),
        are_tensors=" and ".join(map(_is_tensor, declaration.arrays)),
        first=tensors[0],
    )
    made: dict[str, Any] = {}
    exec(compile(source, f"<{operator}>", "exec"), globals() | _CONSTANTS, made)  # noqa: S102
    found: Callable[..., Any] = made["make"](
        kernel.function, operator, is_seen, torch.Tensor, stream_of
    )
    return found


def undispatched(kernel: Kernel, operator: Callable[..., Any]) -> Callable[..., Any]:
    """Return a function that calls the operator, or its kernel where PyTorch would do no more: that takes half as long.

    It is for functions that return something. Those that write arguments as well are operators.
    """
    if not knows_all or kernel.written or kernel.named or kernel.makes_nothing:
        return operator
    positional = kernel.declaration.positional
    positions = [position for position, _ in kernel.tensors]
    least = sum(it.default is NO_DEFAULT for it in positional)
    named = {it.name for it in kernel.declaration.arguments if it.keyword_only}
    # A tensor with other keys is sparse, fake, lazily conjugated, or anything else that only the dispatcher knows.
    runs = {_plain_keys("CPU"): kernel.cpu, _plain_keys("CUDA"): kernel.cuda}

    def run_of(args: Sequence[Any]) -> Callable[..., Any] | None:
        found = None
        for position in positions:
            tensor = args[position] if position < len(args) else None
            if tensor is None:
                continue
            if type(tensor) not in _PLAIN or (tensor.requires_grad and torch.is_grad_enabled()):
                return None
            run = runs.get(torch._C._dispatch_keys(tensor).raw_repr())
            if run is None or found not in (None, run):
                return None
            found = run
        return found

    def call(*args: Any, **kwargs: Any) -> Any:
        if not is_seen() and least <= len(args) <= len(positional) and kwargs.keys() <= named:
            run = run_of(args)
            if run is not None:
                try:
                    return run(*args, **kwargs)
                except (BufferError, TypeError, ValueError):
                    pass  # the operator takes more, or says why not
        return operator(*args, **kwargs)

    return call


def _plain_keys(device: str) -> int:
    """Return the dispatcher's keys of a tensor on a kind of device that nothing has to see."""
    names = (device, f"Autograd{device}", "ADInplaceOrView", f"Autocast{device}")
    keys = (torch._C.DispatchKeySet(getattr(torch._C.DispatchKey, it)) for it in names)
    found: int = reduce(or_, keys).raw_repr()
    return found


def _is_tensor(argument: Argument) -> str:
    condition = f"type({argument.name}) is _Tensor"
    return f"({argument.name} is None or {condition})" if argument.optional else condition
