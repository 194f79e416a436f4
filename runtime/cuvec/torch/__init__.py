"""The functions of the package as operators of PyTorch, in the namespace of the package's name.

A tensor is used where it is, on PyTorch's current stream; a call on a GPU does not wait. Arguments
that are written are written in place. Results are new tensors on the device of the first tensor, or
a single one is written to ``out=``, under `torch.no_grad` where gradients are wanted;
what is a number of Python's elsewhere is a tensor without axes here, so that nothing waits for it
and `torch.compile` and CUDA graphs can go on. A function without tensors takes ``device=``, the CPU
if it is not given.

A function has the derivative that its declaration says, or that `register_autograd` is given. Without one a
backward pass is an error.

Tensors that are only read may have any strides, and those that element-wise functions in CUDA C++ write. Errors are the same as of the functions themselves:
TypeError for a dtype, ValueError for shapes, overlap and strides of what is written.
"""

from collections.abc import Callable
from typing import TYPE_CHECKING, Any

from ..declaration import class_of, effect_of, struct_of
from .functions import *
from .operators import functions as _functions

# To type checkers a name that is not there is an error; and to mypy, a module that imports `__all__` exports nothing.
if not TYPE_CHECKING:
    from .functions import __all__ as _names

    # Whoever imports all of this refuses other names as it does.
    __all__ = [*_names, "__getattr__"]  # noqa: PLE0604  # _names are strings

    def __getattr__(name: str) -> Callable[..., Any]:
        there = ", ".join(_functions)
        why = effect_of(name) or class_of(name) or struct_of(name)
        raise AttributeError(why or f"no operator `{name}`: there are {there}")
