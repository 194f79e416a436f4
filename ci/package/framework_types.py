"""Types of PyTorch and JAX for type checkers, which need not be installed where a package is checked."""

from pathlib import Path

STUBS = {"torch": "class Tensor:\n    requires_grad: bool\n\nclass device: ...\n", "jax": "class Array: ...\n"}


def write_types(folder: Path, *modules: str) -> None:
    """Write stubs of these modules into a folder where a type checker looks first."""
    for module in modules:
        path = folder / module / "__init__.pyi"
        path.parent.mkdir()
        path.write_text(STUBS[module])
