"""The functions of the package on JAX's arrays, eager and in `jax.jit`, on GPUs and on the CPU.

A function works where the arrays are: on memory of XLA's, without a copy, on the stream of the program.
Arrays of JAX do not change: what a function writes in place it returns, before its results, and that
takes no copy where XLA can give the memory of the argument, as it does for donated ones. What is a
number of Python's elsewhere is an array without axes here. Numbers are given as elsewhere; in a
program they may be calculated, for which the GPU is waited for, unless they give the size of a result.

`jax.vmap` is one call, whose batch is a loop dimension; a function of whole arrays of any shape, and one
with traced scalars, is called for one element after the other. The declaration gives a derivative, or
`jax.custom_vjp`. Without ``jax_enable_x64``, JAX has no float64 and no int64: results are rounded.

Left out are functions that find the size of a result, ``(at most n)``: arrays of JAX have sizes that are known
before; and functions of arrays of structs. A struct by value is a part of the program. Errors that shapes and dtypes make come when a program is traced, TypeError and ValueError; others when
it runs, as `jax.errors.JaxRuntimeError` with the message of the function.
"""

from collections.abc import Callable
from typing import TYPE_CHECKING, Any

from ..declaration import class_of, effect_of, size_of_result, struct_of
from .function import functions as _functions
from .functions import *

# To type checkers a name that is not there is an error; and to mypy, a module that imports `__all__` exports nothing.
if not TYPE_CHECKING:
    from .functions import __all__ as _names

    # Whoever imports all of this refuses other names as it does.
    __all__ = [*_names, "__getattr__"]  # noqa: PLE0604  # _names are strings

    def __getattr__(name: str) -> Callable[..., Any]:
        there = ", ".join(_functions)
        why = effect_of(name) or class_of(name) or size_of_result(name) or struct_of(name)
        raise AttributeError(why or f"no function `{name}` for JAX: there are {there}")
