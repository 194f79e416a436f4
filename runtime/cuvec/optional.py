"""Libraries that the package works with and does not need."""

import importlib
import importlib.util
import sys
from collections.abc import Callable, Sequence
from importlib.machinery import ModuleSpec
from types import ModuleType
from typing import Any


def library(module: str, title: str, requirement: str) -> Any:
    """Import a module; ModuleNotFoundError that says what to install where it is missing.

    Parameters
    ----------
    module : str
        What is imported.
    title : str
        What the library is called.
    requirement : str
        What pip installs it by.
    """
    try:
        return importlib.import_module(module)
    except ModuleNotFoundError as error:
        top = module.partition(".")[0]
        if error.name is None or error.name.partition(".")[0] != top:
            raise  # a module that the library itself needs
        message = f"{title} is not installed: pip install {requirement}"
        raise ModuleNotFoundError(message, name=top) from None


def once_imported(module: str, then: Callable[[], object]) -> None:
    """Call `then` once a module is imported: now if it is, else when somebody imports it."""
    if module in sys.modules:
        then()
    else:
        sys.meta_path.insert(0, _Awaited(module, then))


class _Awaited:
    """A finder that finds nothing by itself, and is called when others have found the module that it waits for."""

    def __init__(self, module: str, then: Callable[[], object]) -> None:
        self._module, self._then = module, then

    def find_spec(
        self, name: str, _path: Sequence[str] | None = None, _target: ModuleType | None = None
    ) -> ModuleSpec | None:
        if name != self._module or self not in sys.meta_path:
            return None
        sys.meta_path.remove(self)  # so that the others are asked
        spec = importlib.util.find_spec(name)
        if spec is None or spec.loader is None:
            sys.meta_path.insert(0, self)
            return spec
        execute = spec.loader.exec_module

        def exec_module(module: ModuleType) -> None:
            try:
                execute(module)
            except BaseException:
                sys.meta_path.insert(0, self)  # somebody may try again
                raise
            self._then()

        spec.loader.exec_module = exec_module  # type: ignore[method-assign]
        return spec
