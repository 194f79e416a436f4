"""Derivatives: those that declarations have, those that are registered, and an error where there is none."""

from collections.abc import Callable, Mapping, Sequence
from typing import Any

from ..declaration import Declaration
from .kernel import given, torch
from .state import forward_ad, functorch, is_forward_mode


class Derivative:
    """The derivative of a function, for `torch.library.register_autograd`: an error until it is registered.

    PyTorch itself would drop the gradient, with a warning.
    """

    def __init__(self, name: str) -> None:
        self.name = name
        self._backward: Callable[..., Any] | None = None
        self._setup_context: Callable[..., Any] | None = None

    def register(
        self, backward: Callable[..., Any], setup_context: Callable[..., Any] | None
    ) -> None:
        """Set it; RuntimeError if there is one."""
        if self._backward is not None:
            raise RuntimeError(f"{self.name} has a derivative already")
        self._backward, self._setup_context = backward, setup_context

    def setup_context(self, ctx: Any, **given: Any) -> None:
        if self._setup_context is not None:
            self._setup_context(ctx, **given)

    def backward(self, ctx: Any, *gradients: Any) -> Any:
        if self._backward is None:
            raise RuntimeError(
                f"{self.name} has no derivative: register one with register_autograd, or call it on "
                "tensor.detach()"
            )
        return self._backward(ctx, *gradients)


def without_derivative(name: str, operator: Any, why: str) -> Callable[..., Any]:
    """Return what PyTorch calls where gradients may be wanted of a function that can have none."""

    def call(keys: Any, *args: Any, **kwargs: Any) -> Any:
        refuse_tangents(name, args, kwargs)
        tensors = (it for it in (*args, *kwargs.values()) if isinstance(it, torch.Tensor))
        if torch.is_grad_enabled() and any(it.requires_grad for it in tensors):
            raise RuntimeError(
                f"{name} {why}, so that it has no derivative: call it under "
                "torch.no_grad(), or on tensor.detach()"
            )
        return operator.redispatch(keys & torch._C._after_autograd_keyset, *args, **kwargs)

    return call


def need_gradients(values: Sequence[Any]) -> bool:
    """Return whether one of the tensors among these, or what a transform has put into it, needs a gradient."""
    for value in values:
        if isinstance(value, torch.Tensor):
            tensor = value
            while not tensor.requires_grad:
                if not functorch.is_functorch_wrapped_tensor(tensor):
                    break
                tensor = functorch.get_unwrapped(tensor)
            else:
                return True
    return False


def refuse_tangents(name: str, args: Sequence[Any], kwargs: Mapping[str, Any]) -> None:
    """Raise RuntimeError if a tensor has a tangent, which PyTorch would drop without a word."""
    if not is_forward_mode():
        return
    tensors = (it for it in (*args, *kwargs.values()) if isinstance(it, torch.Tensor))
    if any(forward_ad.unpack_dual(_without_batch(it)).tangent is not None for it in tensors):
        raise RuntimeError(
            f"{name} has no forward-mode derivative: take torch.func.vjp or jacrev, which go backwards"
        )


def _without_batch(tensor: Any) -> Any:
    """Return what `torch.vmap` has made a batch of: a batch itself cannot be asked for tangents."""
    while functorch.is_batchedtensor(tensor):
        tensor = functorch.get_unwrapped(tensor)
    return tensor


class Declared:
    """The derivative of a function, calculated by operators, which `function_of` returns by their names."""

    def __init__(
        self, declaration: Declaration, function_of: Callable[[str], Callable[..., Any]]
    ) -> None:
        self._derivative = declaration.derivative
        self._function_of = function_of
        self._positional = declaration.positional
        self._named = [it for it in declaration.arguments if it.keyword_only]
        self._values = declaration.derivative.values
        self._returned = declaration.returned

    def setup_context(
        self,
        ctx: Any,
        inputs: tuple[Any, ...],
        output: Any,
        keyword_only_inputs: Mapping[str, Any] | None = None,
    ) -> None:
        """Save what the derivative uses, and the shapes of the arguments."""
        named = [given(it, (keyword_only_inputs or {})[it.name]) for it in self._named]
        results = output if isinstance(output, tuple) else (output,)
        # Saved results have no derivative: without this PyTorch would drop their gradients in silence.
        ctx.mark_non_differentiable(*results[self._returned :])
        values = [*map(given, self._positional, inputs), *named, *results]
        used = {index: values[index] for index in self._values}
        tensors = {index: it for index, it in used.items() if isinstance(it, torch.Tensor)}
        ctx.save_for_backward(*tensors.values())
        ctx.saved_indices = tuple(tensors)
        ctx.numbers = {index: it for index, it in used.items() if index not in tensors}
        ctx.shapes = {
            it.name: value.shape
            for it, value in zip(self._positional, inputs, strict=True)
            if it.shape is not None and value is not None
        }

    def backward(self, ctx: Any, *gradients: Any) -> Any:
        """Return a gradient for each argument that is passed by position, or None."""
        tensors = dict(zip(ctx.saved_indices, ctx.saved_tensors, strict=True))
        needed = zip(self._positional, ctx.needs_input_grad, strict=False)
        found = self._derivative.gradients(
            self._function_of,
            {**ctx.numbers, **tensors},
            gradients,
            ctx.shapes,
            {it.name for it, is_needed in needed if is_needed},
        )
        returned = tuple(found.get(it.name) for it in self._positional)
        return returned[0] if len(returned) == 1 else returned
