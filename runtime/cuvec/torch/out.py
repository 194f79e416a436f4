"""``out=``: operators that write their result to a tensor of the caller's, as overloads of those that make one."""

from dataclasses import replace
from typing import Any

from ..declaration import Declaration
from ..derivative import Derivative
from .kernel import Kernel


def writing(declaration: Declaration) -> Declaration | None:
    """Return the declaration of the overload, whose argument `out` is the result.

    None where there are several results, or one of a size that the function finds.
    """
    if len(declaration.results) != 1 or declaration.found:
        return None
    out = replace(declaration.results[0], name="out", direction="out", keyword_only=True)
    arguments = (*declaration.arguments, out)
    return replace(declaration, arguments=arguments, results=(), derivative=Derivative(()))


class Into(Kernel):
    """What the overload runs; `made` is the kernel of the operator that makes a tensor."""

    def __init__(self, made: Kernel, declaration: Declaration) -> None:
        super().__init__(made.function, declaration)
        self._made = made

    def fake(self, *args: Any, device: Any = None, **kwargs: Any) -> None:
        """Raise what the operator would."""
        out = kwargs.pop("out")
        made = self._made.fake(*args, **kwargs, device=device or out.device)
        if out.dtype != made.dtype:
            raise TypeError(f"out has dtype {out.dtype}, but must have {made.dtype}")
        if tuple(out.shape) != tuple(made.shape):
            raise ValueError(f"out has shape {tuple(out.shape)}, but must have {tuple(made.shape)}")
