"""Functions under the transforms of `torch.func`, which do not know the derivatives of operators."""

from collections.abc import Callable
from typing import Any

from ..declaration import Declaration
from .derivative import Derivative, refuse_tangents
from .kernel import torch
from .state import are_transforms_active

_functorch: Any = torch._C._functorch


def transformed_by(
    operator: Callable[..., Any], declaration: Declaration, derivative: Derivative
) -> Callable[..., Any]:
    """Return what is called instead of the operator where `torch.func.grad` and the like are at work.

    It has no forward-mode derivative, and says so: PyTorch would take it for zero.
    """
    name, signature = declaration.name, declaration.signature()
    positional = [it.name for it in declaration.positional]
    named = [it.name for it in declaration.arguments if it.keyword_only]

    def forward(*inputs: Any) -> Any:
        *args, by_name = inputs
        return operator(*args, **by_name)

    def setup_context(ctx: Any, inputs: tuple[Any, ...], output: Any) -> None:
        *args, by_name = inputs
        more = {"keyword_only_inputs": by_name} if by_name else {}
        derivative.setup_context(ctx, inputs=tuple(args), output=output, **more)

    def backward(ctx: Any, *gradients: Any) -> Any:
        found = derivative.backward(ctx, *gradients)
        return (*found, None) if isinstance(found, tuple) else (found, None)

    members = {
        "forward": staticmethod(forward),
        "setup_context": staticmethod(setup_context),
        "backward": staticmethod(backward),
        "generate_vmap_rule": True,
    }
    called: Any = type(f"Called_{name}", (torch.autograd.Function,), members)

    def call(*args: Any, **kwargs: Any) -> Any:
        refuse_tangents(name, args, kwargs)
        tensors = (it for it in (*args, *kwargs.values()) if isinstance(it, torch.Tensor))
        if not (are_transforms_active() and any(map(_needs_gradient, tensors))):
            return operator(*args, **kwargs)
        bound = signature.bind(*args, **kwargs)
        bound.apply_defaults()
        values = bound.arguments
        inputs = [values[it] for it in positional]
        return called.apply(*inputs, {it: values[it] for it in named})

    return call


def _needs_gradient(tensor: Any) -> bool:
    """Return whether a tensor, or what a transform has put into it, needs a gradient."""
    while not tensor.requires_grad:
        if not _functorch.is_functorch_wrapped_tensor(tensor):
            return False
        tensor = _functorch.get_unwrapped(tensor)
    return True
