"""The machine, as tests use it: the libraries that are installed and work, and locks between processes."""

import functools
import importlib.util
import multiprocessing

import locales
import pytest


@functools.cache
def unavailable(kind):
    """Return the libraries that cannot be tested on a device of this kind, with the reasons."""
    reasons = {library: why_not(library, kind) for library in PROBES}
    return {library: reason for library, reason in reasons.items() if reason}


def why_not(library, kind):
    module = library.partition(".")[0]
    if not importlib.util.find_spec(module):
        return "not installed"
    if kind == "cpu" and module not in ON_CPU:
        return "needs a GPU"
    try:
        return "" if PROBES[library](kind) else "finds no device"
    except Exception as error:  # noqa: BLE001  # they fail in many ways
        return f"does not work: {type(error).__name__}: {' '.join(str(error).split())}"


def dask(_kind):
    return True


def distributed(_kind):
    return True


def pyarrow(_kind):
    return True


def torch(kind):
    import torch

    return kind == "cpu" or torch.cuda.is_available()


def cupy(_kind):
    import cupy

    return cupy.cuda.runtime.getDeviceCount() > 0


def jax(kind):
    import jax

    return kind == "cpu" or jax.default_backend() == "gpu"


def numba(_kind):
    from numba import cuda

    return cuda.is_available() and cuda.as_cuda_array(cuda.device_array(1)).size == 1


def pycuda(_kind):
    import pycuda.driver

    pycuda.driver.init()
    return pycuda.driver.Device.count() > 0


def pyopencl(_kind):
    import pyopencl

    cpus = [p.get_devices(pyopencl.device_type.CPU) for p in pyopencl.get_platforms()]
    return any(cpus)


def opencl_compiler(_kind):
    """Compile nothing, on every CPU: pocl's compiler does not know all of them."""
    import pyopencl

    cpus = [p.get_devices(pyopencl.device_type.CPU) for p in pyopencl.get_platforms()]
    for devices in filter(None, cpus):
        pyopencl.Program(pyopencl.Context(devices), "__kernel void nothing() {}").build()
    return any(cpus)


def pint(_kind):
    return True


def array_api_compat(_kind):
    return True


def array_api_extra(_kind):
    return True


def testcapi(_kind):
    return True


def locale(_kind):
    locales.check_that_there_is_one()
    return True


PROBES = {
    "dask": dask,
    "distributed": distributed,
    "pyarrow": pyarrow,
    "torch": torch,
    "cupy": cupy,
    "jax": jax,
    "numba": numba,
    "pycuda": pycuda,
    "array_api_compat": array_api_compat,
    "array_api_extra": array_api_extra,
    "pint": pint,
    "pyopencl": pyopencl,
    "pyopencl.Program": opencl_compiler,
    "locale": locale,
    "_testcapi": testcapi,
}
ON_CPU = (
    "array_api_compat",
    "array_api_extra",
    "dask",
    "distributed",
    "pint",
    "pyarrow",
    "torch",
    "jax",
    "pyopencl",
    "locale",
    "_testcapi",
)


def why_no_pools():
    """Return why processes cannot share a lock, as pools do; empty where they can."""
    try:
        multiprocessing.Lock()
    except (ImportError, OSError) as error:  # no `sem_open`, or no /dev/shm on Linux
        return f"{type(error).__name__}: {error}"
    return ""


NO_POOLS = why_no_pools()
needs_pools = pytest.mark.skipif(bool(NO_POOLS), reason=f"no locks between processes: {NO_POOLS}")
