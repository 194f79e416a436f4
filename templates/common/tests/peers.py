"""Which of the libraries that the tests know are there and work."""

import importlib.util


def left_out(kind):
    """Return the libraries to test nothing with on a device of this kind, and why."""
    reasons = {library: why_not(library, kind) for library in PROBES}
    return {library: reason for library, reason in reasons.items() if reason}


def why_not(library, kind):
    if not importlib.util.find_spec(library):
        return "not installed"
    if kind == "cpu":
        return "" if library in ON_CPU else "needs a GPU"
    try:
        return "" if PROBES[library]() else "finds no GPU"
    except Exception as error:  # noqa: BLE001  # they fail in many ways
        return f"does not work: {type(error).__name__}: {error}"


def dask():
    return True


def torch():
    import torch

    return torch.cuda.is_available()


def cupy():
    import cupy

    return cupy.cuda.runtime.getDeviceCount() > 0


def jax():
    import jax

    return jax.default_backend() == "gpu"


def numba():
    from numba import cuda

    return cuda.is_available() and cuda.as_cuda_array(cuda.device_array(1)).size == 1


PROBES = {"dask": dask, "torch": torch, "cupy": cupy, "jax": jax, "numba": numba}
ON_CPU = ("dask", "torch", "jax")
