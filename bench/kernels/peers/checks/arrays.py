"""Arrays on the GPU, by the library that goes with a peer."""

from __future__ import annotations

import os
from collections.abc import Callable
from typing import Any, NamedTuple

import ml_dtypes
import numpy as np


class Arrays(NamedTuple):
    to_gpu: Callable[[np.ndarray], Any]
    to_host: Callable[[Any], np.ndarray]


def numba() -> Arrays:
    if not hasattr(np, "row_stack"):
        np.row_stack = np.vstack  # some versions of Numba want what NumPy no longer has
    from numba import cuda

    return Arrays(cuda.to_device, lambda array: array.copy_to_host())


def jax() -> Arrays:
    os.environ.setdefault("XLA_PYTHON_CLIENT_PREALLOCATE", "false")  # other checks run on this GPU
    import jax

    jax.config.update("jax_enable_x64", True)
    return Arrays(jax.numpy.asarray, np.asarray)


def torch() -> Arrays:
    """PyTorch does not know NumPy's bfloat16, which ml_dtypes has."""
    import torch

    def to_gpu(array: np.ndarray) -> torch.Tensor:
        if array.dtype == ml_dtypes.bfloat16:
            return torch.from_numpy(array.view("int16")).view(torch.bfloat16).cuda()
        return torch.from_numpy(array).cuda()

    def to_host(tensor: torch.Tensor) -> np.ndarray:
        host = tensor.detach().cpu()
        if host.dtype == torch.bfloat16:
            return host.view(torch.int16).numpy().view(ml_dtypes.bfloat16)
        return host.numpy()

    return Arrays(to_gpu, to_host)


def arrays_for(peer: str) -> Arrays:
    return {"numba": numba, "jax_ffi": jax}.get(peer, torch)()
