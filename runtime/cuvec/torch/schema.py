"""What an operator takes and returns, in PyTorch's words."""

from ..declaration import Argument, Declaration

_LETTERS = "abcdefghijklmnopqrstuvwxyz"


def schema_of(declaration: Declaration) -> str:
    """Return ``gemv(Tensor a, Tensor x, *, Scalar alpha=1) -> Tensor``.

    A tensor that is written is ``Tensor(a!)``, one letter for each. Operators without tensors end
    with ``Device? device=None``.
    """
    parameters: list[str] = []
    written = iter(_LETTERS)
    keyword_only = False
    for argument in declaration.arguments:
        if argument.keyword_only and not keyword_only:
            parameters.append("*")
            keyword_only = True
        if argument.shape is None:
            parameters.append(_number(declaration, argument))
        else:
            alias = f"({next(written)}!)" if argument.written else ""
            parameters.append(f"Tensor{alias} {argument.name}")
    if not declaration.arrays:
        parameters += [*([] if keyword_only else ["*"]), "Device? device=None"]
    return f"{declaration.name}({', '.join(parameters)}) -> {_returned(declaration)}"


def _number(declaration: Declaration, argument: Argument) -> str:
    dtypes = declaration.variables.get(argument.dtype, (argument.dtype,))
    kinds = {_kind(dtype) for dtype in dtypes}
    kind = kinds.pop() if len(kinds) == 1 else "Scalar"
    if argument.default is None:
        return f"{kind} {argument.name}"
    default = float(argument.default) if kind == "float" else argument.default
    return f"{kind} {argument.name}={default!r}"


def _kind(dtype: str) -> str:
    """Return PyTorch's type of a number; ``SymInt`` may be a size that `torch.compile` leaves open."""
    if dtype == "bool":
        return "bool"
    if "int" in dtype:
        return "SymInt"
    return "float" if dtype.startswith("float") else "Scalar"


def _returned(declaration: Declaration) -> str:
    tensors = ["Tensor"] * len(declaration.results)
    return tensors[0] if len(tensors) == 1 else f"({', '.join(tensors)})"
