"""Libraries that the package works with and does not need."""

import importlib
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
            raise  # what the library itself needs
        message = f"{title} is not installed: pip install {requirement}"
        raise ModuleNotFoundError(message, name=top) from None
