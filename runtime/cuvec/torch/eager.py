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
_Tensor = torch.Tensor
_NUMBERS = {bool, int, float, complex}
# A function of the declared parameters: to collect arguments, and to spread them again, would take as
# long as all else here.
_SOURCE = """\
def make(_function, _operator, _is_seen, _stream_of):
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


# Tensors that are sparse, fake, lazily conjugated, or anything else that only the dispatcher knows, have other keys.
_RETURNING = """\
def make(_function, _operator, _is_seen, _stream_of):
    def {name}({parameters}):
        if not _is_seen() and {are_plain}:
            _keys = _keys_of({first}).raw_repr()
            if {need_gradients}:
                if _is_grad_enabled():
                    _keys = None
                else:
                    {detach}
            if _keys in _PLAIN_KEYS and {are_alike}:
                _index = {first}.get_device()
                try:
                    return _function({arguments}, stream=_stream_of(_index) if _index >= 0 else None)
                except (BufferError, TypeError, ValueError):
                    pass  # the operator takes more, or says why not
        return _operator({all_arguments})

    return {name}
"""


def direct(kernel: Kernel, operator: Callable[..., Any], more: Sequence[str]) -> Callable[..., Any]:
    """Return a function that calls the operator, or its kernel where PyTorch would do no more.

    That is so for tensors without a derivative, of no class but PyTorch's own, while nothing is at work that has to see
    the call; where nothing is returned, on a GPU only. `more` are the parameters that are not declared.
    """
    declaration = kernel.declaration
    arrays = declaration.arrays
    required = [it.name for it in arrays if not it.optional]
    writes = bool(kernel.written or kernel.named)
    if not knows_all or not required or (writes and not kernel.makes_nothing):
        return operator
    arguments = [
        f"{it.name}={it.name}" if it.keyword_only else it.name for it in declaration.arguments
    ]
    alike = [it for it in arrays if it.name != required[0]]
    are_plain = [_of_each(arrays, "type({0}) in _PLAIN")]
    are_plain += filter(None, map(_is_number, declaration.arguments))
    source = (_SOURCE if kernel.makes_nothing else _RETURNING).format(
        name=declaration.name,
        parameters=str(declaration.signature(*more))[1:-1],
        arguments=", ".join(arguments),
        all_arguments=", ".join([*arguments, *(f"{it}={it}" for it in more)]),
        are_tensors=_of_each(arrays, "type({0}) is _Tensor"),
        are_plain=" and ".join([*are_plain, *(f"{it} is None" for it in more)]),
        are_alike=_of_each(alike, "_keys_of({0}).raw_repr() == _keys"),
        need_gradients=f"not ({_of_each(arrays, 'not {0}.requires_grad')})",
        detach="; ".join(map(_detach, arrays)),
        first=required[0],
    )
    made: dict[str, Any] = {}
    exec(compile(source, f"<{operator}>", "exec"), globals() | _CONSTANTS, made)  # noqa: S102
    found: Callable[..., Any] = made["make"](kernel.function, operator, is_seen, stream_of)
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


_PLAIN_KEYS = {_plain_keys("CPU"), _plain_keys("CUDA")} if knows_all else set()
_keys_of = getattr(torch._C, "_dispatch_keys", None)
_is_grad_enabled = torch.is_grad_enabled


def _of_each(arrays: Sequence[Argument], condition: str) -> str:
    """Return the condition for all arrays; one that is None meets it."""
    each = (f"({it.name} is None or {condition})" if it.optional else condition for it in arrays)
    conditions = [text.format(it.name) for text, it in zip(each, arrays, strict=True)]
    return " and ".join(conditions) or "True"


def _detach(array: Argument) -> str:
    detached = f"{array.name} = {array.name}.detach()"
    return f"{detached} if {array.name} is not None else None" if array.optional else detached


def _is_number(argument: Argument) -> str:
    """Return the condition that no tensor is passed for a number: one may need a gradient, which numbers do not have."""
    if argument.shape is not None or argument.choices or argument.is_struct:
        return ""
    if argument.items:
        return f"all(type(_item) in _NUMBERS for _item in {argument.name})"
    return f"type({argument.name}) in _NUMBERS"
