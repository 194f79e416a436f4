"""The functions of the package on Dask's arrays, as generalized ufuncs.

A function that is declared with ``a: T(m,n), x: T(n)`` and ``-> T(m)`` is `dask.array.apply_gufunc`
with ``(m,n),(n)->(m)``: it works on the last axes of its arguments, each of them in one chunk, and once
for every index of the axes before those, which are broadcast. Chunks of results are CuVec. Arrays
are never changed: what a function writes in place it returns, before its results. Numbers are given
as elsewhere.

Left out are functions whose arrays have any shape, ``(...)``, because nothing says which of their axes
belong together, and those that read no array.

With this module, or with the package alone where `distributed` was imported before it, arrays that go to
other processes, or to a disk, arrive as CuVec: in the memory and the order of axes that they had.
"""

from collections.abc import Callable
from importlib.util import find_spec
from typing import Any

from .gufunc import left_out, of_package

if find_spec("distributed"):
    from .. import serializers as _serializers  # noqa: F401

_gufuncs = of_package()
__all__ = list(_gufuncs)  # pyright: ignore[reportUnsupportedDunderAll]
globals().update(_gufuncs)


def __getattr__(name: str) -> Callable[..., Any]:
    reason = left_out(name)
    there = ", ".join(_gufuncs) or "none"
    raise AttributeError(reason or f"no generalized ufunc `{name}`: there are {there}")
