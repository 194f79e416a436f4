"""Registers the operators, and the functions that call them."""

from collections.abc import Callable
from string import ascii_lowercase
from typing import Any

from .. import _core
from ..declaration import NO_DEFAULT, Argument, Declaration, declarations
from .autocast import autocast_of
from .batching import vmap_of
from .declared import Declared
from .derivative import Derivative, without_derivative
from .eager import eager
from .kernel import Kernel, has_no_notation, torch
from .lazy_views import resolving
from .transforms import transformable

NAMESPACE = __name__.rpartition(".cuvec.")[0].replace(".", "_")

# Others may define operators in the namespace too: a C++ extension of the package, for one.
_library = torch.library.Library(NAMESPACE, "FRAGMENT")
_derivatives: dict[str, Derivative] = {}
# Inductor must not choose other strides for what is written in place.
_TAGS = (
    torch.Tag.pt2_compliant_tag,
    getattr(torch.Tag, "needs_exact_strides", torch.Tag.needs_fixed_stride_order),
)
# Inductor leaves such operators out of CUDA graphs, since PyTorch 2.8.
_NOT_IN_GRAPHS = tuple(filter(None, [getattr(torch.Tag, "cudagraph_unsafe", None)]))


def schema_of(declaration: Declaration) -> str:
    """Return ``gemv(Tensor a, Tensor x, *, Scalar alpha=1) -> Tensor``.

    A tensor that is written is ``Tensor(a!)``, one letter for each; one that may be None, ``Tensor?``. Operators that may be
    called without tensors end with ``Device? device=None``.
    """
    parameters: list[str] = []
    written = iter(ascii_lowercase)
    keyword_only = False
    for argument in declaration.arguments:
        if argument.keyword_only and not keyword_only:
            parameters.append("*")
            keyword_only = True
        if argument.shape is None:
            parameters.append(_number(declaration, argument))
        else:
            alias = f"({next(written)}!)" if argument.written else ""
            form = "?" if argument.optional else ""
            default = "" if argument.default is NO_DEFAULT else f"={argument.default}"
            parameters.append(f"Tensor{alias}{form} {argument.name}{default}")
    if declaration.needs_no_array:
        parameters += [*([] if keyword_only else ["*"]), "Device? device=None"]
    return f"{declaration.name}({', '.join(parameters)}) -> {_returned(declaration)}"


def _number(declaration: Declaration, argument: Argument) -> str:
    dtypes = declaration.variables.get(argument.dtype, (argument.dtype,))
    kinds = {_kind(dtype) for dtype in dtypes}
    kind = kinds.pop() if len(kinds) == 1 else "Scalar"
    if argument.choices:
        kind = "ScalarType" if argument.chooses else "str"
    if argument.items:
        kind += "[]"
    if argument.default is NO_DEFAULT:
        return f"{kind} {argument.name}"
    if has_no_notation(argument):
        return f"{kind}? {argument.name}=None"
    if argument.choices:
        return f'str {argument.name}="{argument.default}"'
    default = float(argument.default) if kind == "float" else argument.default
    return f"{kind} {argument.name}={default!r}"


def _kind(dtype: str) -> str:
    """Return PyTorch's type of a number; ``SymInt`` may be a size that `torch.compile` leaves open."""
    if dtype == "bool":
        return "bool"
    if "int" in dtype and dtype != "uint64":  # whose upper half no int of PyTorch's holds
        return "SymInt"
    return "float" if "float" in dtype else "Scalar"


def _returned(declaration: Declaration) -> str:
    tensors = ["Tensor"] * len(declaration.results)
    return tensors[0] if len(tensors) == 1 else f"({', '.join(tensors)})"


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
    derivative = _derivatives.get(name)
    if derivative is None:
        raise RuntimeError(
            f"{name} cannot have a derivative: PyTorch has them for functions that return tensors, "
            "write no argument, and take all arrays by position"
        )
    derivative.register(backward, setup_context)


def _define(function: Callable[..., Any], declaration: Declaration) -> Callable[..., Any]:
    """Define the operator of a function, and return a function that calls it."""
    schema, name = schema_of(declaration), declaration.name
    _library.define(
        schema, tags=_TAGS if declaration.allow_cuda_graph else (*_TAGS, *_NOT_IN_GRAPHS)
    )
    kernel = Kernel(function, declaration)
    if declaration.arrays:
        _library.impl(name, kernel.cpu, "CPU")
        _library.impl(name, kernel.cuda, "CUDA")
    if declaration.needs_no_array:
        _library.impl(name, kernel.without_tensors, "CompositeExplicitAutograd")
    torch.library.register_fake(f"{NAMESPACE}::{name}", kernel.fake, lib=_library)
    operator = called_operator = getattr(getattr(torch.ops, NAMESPACE), name).default
    for device in ("CPU", "CUDA") if declaration.arrays else ():
        rule = autocast_of(operator, declaration, device.lower())
        _library.impl(name, rule, f"Autocast{device}")
    if any(it.written for it in declaration.arrays):
        for key in ("Conjugate", "Negative"):
            _library.impl(name, resolving(operator, declaration), key)
    why = "writes its arguments" if any(it.written for it in declaration.arrays) else ""
    if kernel.named:
        why = why or "takes an array by name only"  # PyTorch has no derivatives of such functions
    if why:
        _library.impl(name, without_derivative(name, operator, why), "Autograd", with_keyset=True)
    elif declaration.arrays and declaration.results:
        derivative = _derivatives[name] = Derivative(name)
        if declaration.derivative.steps:
            declared = Declared(declaration, lambda name: functions[name])
            derivative.register(declared.backward, declared.setup_context)
        torch.library.register_autograd(
            f"{NAMESPACE}::{name}",
            derivative.backward,
            setup_context=derivative.setup_context,
            lib=_library,
        )
        if hasattr(torch.library, "register_vmap"):  # since PyTorch 2.5
            rule = vmap_of(operator, declaration)
            torch.library.register_vmap(f"{NAMESPACE}::{name}", rule, lib=_library)
        called_operator = transformable(operator, declaration, derivative)
    saved = len(declaration.results) - declaration.returned
    asked = asking(called_operator, declaration)
    call = eager(kernel, answering(asked, saved, _core.result_types.get(name)))
    called: Any = call
    called.__name__ = called.__qualname__ = name
    called.__module__ = __name__.rpartition(".cuvec.")[0] + ".torch"
    called.__doc__ = declaration.documented(f"The operator ``{NAMESPACE}::{schema}``.")
    called.__signature__ = declaration.signature()
    return call


def asking(operator: Callable[..., Any], declaration: Declaration) -> Callable[..., Any]:
    """Return the operator, or a function that takes the dtypes of any library for it."""
    choosers = {it.name: it for it in declaration.arguments if it.chooses}
    if not choosers:
        return operator
    positional = [it.name for it in declaration.arguments if not it.keyword_only]

    def taken(name: str, value: Any) -> Any:
        if name not in choosers or isinstance(value, torch.dtype):
            return value
        choices = choosers[name].choices
        if not (isinstance(value, str) and value in choices):  # which a compiler can look into
            value = choices[_core.choice(declaration.name, name, value)]
        return getattr(torch, value)

    def call(*args: Any, **kwargs: Any) -> Any:
        passed = [taken(name, value) for name, value in zip(positional, args, strict=False)]
        named = {name: taken(name, value) for name, value in kwargs.items()}
        return operator(*passed, *args[len(passed) :], **named)

    return call


def answering(
    operator: Callable[..., Any], saved: int, result_type: Callable[..., Any] | None
) -> Callable[..., Any]:
    """Return the operator, or a function that returns its results in a named tuple, and none that is saved."""
    if not saved and result_type is None:
        return operator

    def call(*args: Any, **kwargs: Any) -> Any:
        out = operator(*args, **kwargs)
        out = out[: len(out) - saved]
        if result_type is not None:
            return result_type(*out)
        return out[0] if len(out) == 1 else out

    return call


functions: dict[str, Callable[..., Any]] = {
    name: _define(function, declaration)
    for function, (name, declaration) in zip(_core.declared, declarations().items(), strict=True)
    if declaration.makes_something
}
