"""What `torch.library.register_autograd` takes, of a function that declares its derivative."""

from collections.abc import Callable, Mapping
from typing import Any

from ..declaration import Declaration
from .kernel import given, torch


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
        # What is saved has no derivative: without this PyTorch would drop its gradient in silence.
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
