"""Registers the operators, and the functions that call them."""

from collections.abc import Callable
from string import ascii_lowercase
from typing import Any

from .. import _core
from ..declaration import NO_DEFAULT, Argument, Declaration, declarations
from .batching import batched_by, rule_of
from .calling import calling
from .derivative import Declared, Derivative, without_derivative
from .dispatch import autocast_of, resolving
from .eager import direct, may_be_direct, undispatched
from .kernel import Into, Kernel, has_no_notation, torch, writing
from .transforms import transformed_by

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


def schema_of(declaration: Declaration, overload: str = "") -> str:
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
    return f"{declaration.name}{overload}({', '.join(parameters)}) -> {_returned(declaration)}"


def _number(declaration: Declaration, argument: Argument) -> str:
    if argument.is_struct:
        return f"Scalar[] {argument.name}"  # all numbers in it
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
        There is no such function, it writes an argument, or it has a derivative already.
    """
    if name not in functions:
        raise RuntimeError(f"no operator `{name}`: there are {', '.join(functions)}")
    derivative = _derivatives.get(name)
    if derivative is None:
        raise RuntimeError(
            f"{name} cannot have a derivative: PyTorch has them for functions that return tensors, "
            "write no argument, and take all arrays by position"
        )
    derivative.register(backward, setup_context)


def _define(function: Callable[..., Any], declaration: Declaration) -> Callable[..., Any]:
    """Define the operator of a function, and return a function that calls it."""
    schema = schema_of(declaration)
    kernel = Kernel(function, declaration)
    operator = _implement(kernel, schema)
    into = None
    if (written := writing(declaration)) is not None:
        overload = Into(kernel, written)
        into = _implement(overload, schema_of(written, ".out"), "out")
        _differentiate(overload, into, into)
    short = undispatched(kernel, operator)
    call = calling(short, declaration, _differentiate(kernel, operator, short), into)
    if may_be_direct(kernel):
        call = direct(kernel, call)
    module = __name__.rpartition(".cuvec.")[0] + ".torch"
    doc = declaration.documented(f"The operator ``{NAMESPACE}::{schema}``.")
    more = (["device"] if declaration.needs_no_array else []) + (["out"] if into else [])
    return declaration.presented(call, module, doc, declaration.signature(*more))


def _implement(kernel: Kernel, schema: str, overload: str = "default") -> Callable[..., Any]:
    """Define an operator, and what it is on devices, under autocast, and for tensors that are fake or lazily conjugated."""
    declaration = kernel.declaration
    tags = _TAGS if declaration.allow_cuda_graph else (*_TAGS, *_NOT_IN_GRAPHS)
    _library.define(schema, tags=tags)
    packet = getattr(getattr(torch.ops, NAMESPACE), declaration.name)
    operator: Callable[..., Any] = getattr(packet, overload)
    if declaration.arrays:
        _library.impl(operator, kernel.cpu, "CPU")
        _library.impl(operator, kernel.cuda, "CUDA")
        for device in ("CPU", "CUDA"):
            rule = autocast_of(operator, declaration, device.lower())
            _library.impl(operator, rule, f"Autocast{device}")
    if declaration.needs_no_array:
        _library.impl(operator, kernel.without_tensors, "CompositeExplicitAutograd")
    if any(it.written for it in declaration.arrays):
        for key in ("Conjugate", "Negative"):
            _library.impl(operator, resolving(operator, declaration), key)
    torch.library.register_fake(operator, kernel.fake, lib=_library)
    return operator


def _differentiate(
    kernel: Kernel, operator: Callable[..., Any], short: Callable[..., Any]
) -> Callable[..., Any] | None:
    """Register the derivative and the batching rule; return what `torch.func` calls, None if it has none.

    That calls `short` where nothing is left to be transformed.
    """
    declaration, name = kernel.declaration, kernel.declaration.name
    why = "writes its arguments" if any(it.written for it in declaration.arrays) else ""
    if isinstance(kernel, Into):
        why = "writes to out"
    if kernel.named:
        why = why or "takes an array by name only"  # PyTorch has no derivatives of such functions
    if why:
        raises = without_derivative(name, operator, why)
        _library.impl(operator, raises, "Autograd", with_keyset=True)
        return None
    if not (declaration.arrays and declaration.results):
        return None
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
    batched = batched_by(operator, rule_of(operator, declaration))
    _library.impl(operator, batched, "FuncTorchBatched")
    return transformed_by(short, declaration, derivative)


functions: dict[str, Callable[..., Any]] = {
    name: _define(function, declaration)
    for function, (name, declaration) in zip(_core.declared, declarations().items(), strict=True)
    if declaration.makes_something and not declaration.struct_of_array
}
