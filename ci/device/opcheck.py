"""PyTorch's `opcheck` of every operator of an installed package, on a GPU if there is one.

opcheck.py NAME
"""

import sys
import warnings
from importlib import import_module
from inspect import Parameter
from typing import Any

import torch

ELEMENTS = 9  # of the largest array


def check(operator: Any, declaration: Any, values: dict[str, Any], device: str) -> None:
    def argument(it: Any) -> Any:
        value = values[it.name]
        if it.chooses:
            return getattr(torch, value)
        if it.shape is None or value is None:
            return value
        tensor = torch.from_dlpack(value).to(device, copy=True)
        return tensor.requires_grad_(bool(declaration.derivative.steps) and tensor.is_floating_point())

    required = [it for it in declaration.arguments if it.default is Parameter.empty]
    positional = tuple(argument(it) for it in required if not it.keyword_only)
    named = {it.name: argument(it) for it in required if it.keyword_only}
    if declaration.needs_no_array:
        named["device"] = torch.device(device)
    torch.library.opcheck(operator, positional, named)


def main() -> None:
    name = sys.argv[1]
    warnings.simplefilter("ignore")  # of PyTorch's compilers
    operators = import_module(f"{name}.cuvec.torch").__all__
    bench, cuvec = import_module(f"{name}.cuvec.bench"), import_module(f"{name}.cuvec")
    declarations = import_module(f"{name}.cuvec.declaration").declarations()
    for declaration in declarations.values():
        if declaration.name in operators:
            print(declaration.name, flush=True)
            operator = getattr(getattr(torch.ops, name), declaration.name).default
            check(operator, declaration, bench.values(declaration, ELEMENTS)[0], cuvec.device().kind)


if __name__ == "__main__":
    main()
