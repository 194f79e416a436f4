"""Arrays on the GPU, by the library that goes with a peer."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, NamedTuple

import numpy as np


class Arrays(NamedTuple):
    to_gpu: Callable[[np.ndarray], Any]
    to_host: Callable[[Any], np.ndarray]


def numba() -> Arrays:
    if not hasattr(np, "row_stack"):
        np.row_stack = np.vstack  # some versions of Numba want what NumPy no longer has
    from numba import cuda

    return Arrays(cuda.to_device, lambda array: array.copy_to_host())


def cupy_or_torch() -> Arrays:
    try:
        import cupy
    except ModuleNotFoundError:
        try:
            import torch
        except ModuleNotFoundError:
            raise ModuleNotFoundError("neither CuPy nor PyTorch is installed", name="cupy") from None
        return Arrays(lambda array: torch.from_numpy(array).cuda(), lambda array: array.cpu().numpy())
    return Arrays(cupy.asarray, cupy.asnumpy)


def arrays_for(peer: str) -> Arrays:
    return numba() if peer == "numba" else cupy_or_torch()
