"""Functions under the transforms of `torch.func`, which do not know the derivatives of operators."""

from collections.abc import Callable, Mapping, Sequence
from typing import Any

from ..declaration import Declaration
from .batching import rule_of, unwrapped, wrapped
from .derivative import Derivative, need_gradients, refuse_tangents
from .kernel import has_no_notation, torch
from .state import are_transforms_active, functorch


def transformed_by(
    operator: Callable[..., Any], declaration: Declaration, derivative: Derivative
) -> Callable[..., Any]:
    """Return what is called instead of the operator where `torch.func.grad` and the like are at work.

    It has no forward-mode derivative, and says so: PyTorch would take it for zero.
    """
    name, signature = declaration.name, declaration.signature()
    positional = [it.name for it in declaration.positional]
    named = [it.name for it in declaration.arguments if it.keyword_only]
    defaults = {
        it.name: None if has_no_notation(it) else it.default for it in declaration.arguments
    }  # as the operator has them; what has none is always passed
    is_declared = bool(declaration.derivative.steps)

    def complete(
        args: Sequence[Any], kwargs: Mapping[str, Any]
    ) -> tuple[tuple[Any, ...], dict[str, Any]]:
        """Return what is passed by position, and what by name only, with the defaults."""
        values = defaults | signature.bind(*args, **kwargs).arguments
        by_position = tuple([values[it] for it in positional])
        return by_position, {it: values[it] for it in named}

    def call(*args: Any, **kwargs: Any) -> Any:
        refuse_tangents(name, args, kwargs)
        if not are_transforms_active():
            return operator(*args, **kwargs)
        if not kwargs.keys().isdisjoint(positional):
            args, kwargs = complete(args, kwargs)
        level = functorch.current_level()
        values, dims = unwrapped(args, level)
        named_values, named_dims = unwrapped(kwargs.values(), level)
        is_batch = any(dim is not None for dim in (*dims, *named_dims))
        # A batch is a call of more dimensions, and has the declared derivative of that.
        if not (is_batch and is_declared) and need_gradients(values):
            inputs, by_name = complete(args, kwargs)
            return called.apply(*inputs, by_name)
        if not is_batch:
            return operator(*args, **kwargs)
        below = functorch.pop_dynamic_layer_stack()
        try:
            by_name = dict(zip(kwargs, named_values, strict=True))
            out = rule(values, by_name, dims, dict(zip(kwargs, named_dims, strict=True)))
        finally:
            functorch.push_dynamic_layer_stack(below)
        return wrapped(out, level)

    rule = rule_of(call, declaration)

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

    def vmap(_: Any, dims: Sequence[Any], *inputs: Any) -> tuple[Any, Any]:
        *args, by_name = inputs
        # A list of numbers has a list of None.
        own = [dim if isinstance(dim, int) else None for dim in dims[:-1]]
        out = rule(args, by_name, own, dims[-1] or {})
        return out, (0,) * len(out) if isinstance(out, tuple) else 0

    members: dict[str, Any] = {
        "forward": staticmethod(forward),
        "setup_context": staticmethod(setup_context),
        "backward": staticmethod(backward),
    }
    # A derivative that users register knows no batch.
    members |= {"vmap": staticmethod(vmap)} if is_declared else {"generate_vmap_rule": True}
    called: Any = type(f"Called_{name}", (torch.autograd.Function,), members)
    return call
