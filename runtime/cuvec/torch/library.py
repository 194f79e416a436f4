"""PyTorch, if it is there and new enough."""

from ..optional import library

torch = library("torch", "PyTorch", "torch")

if not hasattr(torch.library, "register_autograd"):
    raise ImportError(
        f"PyTorch {torch.__version__} is too old: pip install 'torch>=2.4'", name="torch"
    )
