"""Registers the operators, and the functions that call them."""

from collections.abc import Callable
from typing import Any

from .. import _core
from ..declaration import Declaration, declarations, summary_of
from .eager import eager
from .kernel import Kernel
from .library import torch
from .schema import schema_of

NAMESPACE = __name__.rpartition(".cuvec.")[0].replace(".", "_")

# Others may define operators in the namespace too: a C++ extension of the package, for one.
_library = torch.library.Library(NAMESPACE, "FRAGMENT")
# Inductor must not choose other strides for what is written in place.
_TAGS = (
    torch.Tag.pt2_compliant_tag,
    getattr(torch.Tag, "needs_exact_strides", torch.Tag.needs_fixed_stride_order),
)


def register_autograd(
    name: str,
    backward: Callable[..., Any],
    /,
    *,
    setup_context: Callable[..., Any] | None = None,
) -> None:
    """Register the derivative of a function.

    Parameters
    ----------
    name : str
        Of a function that writes none of its arguments: PyTorch has no derivatives of others.
    backward, setup_context : callable
        As for `torch.library.register_autograd`.

    Raises
    ------
    RuntimeError
        The function writes an argument, or has a derivative already.
    """
    torch.library.register_autograd(
        f"{NAMESPACE}::{name}", backward, setup_context=setup_context, lib=_library
    )
    # Where the operator has been traced before, PyTorch remembers that it had no derivative.
    operator = getattr(getattr(torch.ops, NAMESPACE), name).default
    getattr(operator, "_dispatch_cache", {}).clear()


def _define(function: Callable[..., Any], declaration: Declaration) -> Callable[..., Any]:
    """Define the operator of a function, and return a function that calls it."""
    schema, name = schema_of(declaration), declaration.name
    _library.define(schema, tags=_TAGS)
    kernel = Kernel(function, declaration)
    if declaration.arrays:
        _library.impl(name, kernel.cpu, "CPU")
        _library.impl(name, kernel.cuda, "CUDA")
    else:
        _library.impl(name, kernel.without_tensors, "CompositeExplicitAutograd")
    torch.library.register_fake(f"{NAMESPACE}::{name}", kernel.fake, lib=_library)
    operator = getattr(getattr(torch.ops, NAMESPACE), name).default
    call = eager(kernel, operator)
    called: Any = call
    called.__name__ = called.__qualname__ = name
    called.__module__ = __name__.rpartition(".cuvec.")[0] + ".torch"
    called.__doc__ = f"{summary_of(function.__doc__)}\n\nThe operator ``{NAMESPACE}::{schema}``."
    called.__signature__ = declaration.signature()
    return call


functions: dict[str, Callable[..., Any]] = {
    name: _define(function, declaration)
    for function, (name, declaration) in zip(_core.declared, declarations().items(), strict=True)
    if declaration.arrays or declaration.results  # something for tensors
}
