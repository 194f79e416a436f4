"""Classes that the package declares, of the built-in functions that construct their objects and work on them."""

import importlib
from collections.abc import Callable
from functools import wraps
from typing import Any, Self

from . import _core

__all__ = ["State", "classes"]

# The attributes that `torch.compiler.disable(reason=…)` sets, without an import of PyTorch; torch.compile shows the reason.
UNTRACED: dict[str, bool | str] = {
    "_torchdynamo_disable": True,
    "_torchdynamo_disable_msg": "it is a method of a class with state, which a program cannot know",
}


class State:
    """An object with state in native code, on the GPU that was the current one or on the CPU.

    It ends when it is closed or nobody refers to it any more, after the GPU's work with it. Methods take
    turns: one that is called while another thread runs one waits.
    """

    _object: _core.Object | None = None  # of a class that has not called our `__init__`

    def close(self) -> None:
        """Wait for the calls that use the object, and end it. Methods raise ValueError from then on."""
        if self._object is not None:
            self._object.close()

    @property
    def closed(self) -> bool:
        """True once it is closed."""
        return self._object is None or self._object.closed

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *exception: object) -> None:
        self.close()

    def __reduce__(self) -> str | tuple[Any, ...]:
        name = type(self).__name__
        raise TypeError(
            f"a {name} cannot be pickled or copied: its state is memory of this process; "
            f"construct another, or give a class derived from it a `__reduce__` that says how"
        )

    def __repr__(self) -> str:
        gpu = None if self._object is None else self._object.gpu
        dtypes = "" if self._object is None else "".join(f"{it} " for it in self._object.dtypes)
        place = "closed" if self.closed else "on the CPU" if gpu is None else f"on GPU {gpu}"
        return f"<{type(self).__module__}.{type(self).__qualname__} {dtypes}{place}>"


class _Signature:
    """The signature of a class, which Python 3.15 does not look for behind an `__init__` that wraps a built-in function."""

    def __get__(self, instance: object, owner: type) -> Any:
        init = owner.__init__  # type: ignore[misc]
        if not hasattr(init, "_constructs"):  # of a class that is derived from ours
            raise AttributeError("__signature__")
        signature = importlib.import_module("inspect").signature(init)
        return signature.replace(parameters=list(signature.parameters.values())[1:])


def _constructor(construct: Callable[..., _core.Object]) -> Callable[..., None]:
    @wraps(construct)
    def init(self: State, /, *arguments: Any, **options: Any) -> None:
        self._object = construct(*arguments, **options)

    return init


def _method(function: Callable[..., Any]) -> Callable[..., Any]:
    @wraps(function)
    def method(self: State, /, *arguments: Any, **options: Any) -> Any:
        # of another class by `Name.method(other)`, which the function refuses
        return function(getattr(self, "_object", self), *arguments, **options)

    return method


def _class(construct: Callable[..., _core.Object], methods: tuple[Callable[..., Any], ...]) -> type:
    name, module = construct.__name__, construct.__module__
    members = {"__init__": _constructor(construct)}
    vars(members["__init__"])["_constructs"] = name
    members |= {method.__name__: _method(method) for method in methods}
    for member, function in members.items():
        function.__name__, function.__qualname__ = member, f"{name}.{member}"
        vars(function).update(UNTRACED)
    return type(
        name,
        (State,),
        {
            **members,
            "__doc__": construct.__doc__,
            "__module__": module,
            "__signature__": _Signature(),
        },
    )


classes: list[type] = [_class(*declared) for declared in _core.classes]
