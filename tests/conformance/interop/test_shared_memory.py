"""Memory shared with other libraries, in both directions: both sides see the same address."""

import importlib
from collections.abc import Callable
from typing import Any, NamedTuple

import machine
import numpy as np
import pytest
from package import address, axpy, cuvec

KIND = cuvec.device().kind
VALUES = np.arange(1, 9, dtype="f4")


class Way(NamedTuple):
    """A way to share an array; `make` is called with the module, and with the package's array if there is one."""

    module: str
    name: str
    make: Callable[..., Any]
    address: Callable[[Any], int]
    kinds: str = "cpu gpu"
    needs: str = ""  # an optional part of the library, by its name in machine.py

    def __str__(self):
        return self.name


def cuda_array(y):
    return y.__cuda_array_interface__["data"][0]


def opencl(cl):
    """Return a queue on the first CPU."""
    cpus = [p.get_devices(cl.device_type.CPU) for p in cl.get_platforms()]
    return cl.CommandQueue(cl.Context(next(filter(None, cpus))))


def opencl_doubles(cl, x):
    """Double `x` in an OpenCL kernel, and return its mapped buffer."""
    queue = opencl(cl)
    buffer = cl.Buffer(queue.context, cl.mem_flags.USE_HOST_PTR, hostbuf=x)
    code = "__kernel void twice(__global float *x) { x[get_global_id(0)] *= 2; }"
    cl.Program(queue.context, code).build().twice(queue, x.shape, None, buffer)
    mapped, _event = cl.enqueue_map_buffer(queue, buffer, cl.map_flags.READ, 0, x.shape, x.dtype)
    np.testing.assert_array_equal(x, 2 * VALUES)
    return mapped


def opencl_maps(cl):
    """Return memory of OpenCL, mapped to the host."""
    queue = opencl(cl)
    flags = cl.mem_flags.ALLOC_HOST_PTR | cl.mem_flags.COPY_HOST_PTR
    buffer = cl.Buffer(queue.context, flags, hostbuf=VALUES)
    both = cl.map_flags.READ | cl.map_flags.WRITE
    return cl.enqueue_map_buffer(queue, buffer, both, 0, VALUES.shape, VALUES.dtype)[0]


def pycuda_array(gpuarray, x):
    importlib.import_module("pycuda.autoprimaryctx")
    return gpuarray.GPUArray(x.shape, x.dtype, gpudata=x.ptr)


def pycuda_copy(gpuarray):
    importlib.import_module("pycuda.autoprimaryctx")
    return gpuarray.to_gpu(VALUES)


OURS = [
    Way("numpy", "numpy.asarray(x)", lambda np, x: np.asarray(x), lambda y: y.ctypes.data),
    Way("cupy", "cupy.asarray(x)", lambda cupy, x: cupy.asarray(x), cuda_array),
    Way("cupy", "cupy.from_dlpack(x)", lambda cupy, x: cupy.from_dlpack(x), cuda_array),
    Way(
        "torch",
        "torch.from_dlpack(x)",
        lambda torch, x: torch.from_dlpack(x),
        lambda y: y.data_ptr(),
    ),
    Way(
        "torch",
        'torch.as_tensor(x.cuvec, device="cuda")',
        lambda torch, x: torch.as_tensor(x.cuvec, device="cuda"),
        cuda_array,
        "gpu",
    ),
    Way(
        "jax.numpy",
        "jax.numpy.from_dlpack(x)",
        lambda jnp, x: jnp.from_dlpack(x),
        lambda y: y.unsafe_buffer_pointer(),
    ),
    Way(
        "numba.cuda",
        "numba.cuda.as_cuda_array(x)",
        lambda cuda, x: cuda.as_cuda_array(x),
        cuda_array,
    ),
    Way(
        "pycuda.gpuarray",
        "pycuda.gpuarray.GPUArray(x.shape, x.dtype, gpudata=x.ptr)",
        pycuda_array,
        cuda_array,
    ),
    Way(
        "pyopencl",
        "pyopencl.Buffer(context, USE_HOST_PTR, hostbuf=x), on the CPU",
        opencl_doubles,
        lambda y: y.ctypes.data,
        needs="pyopencl.Program",
    ),
]
THEIRS = [
    Way(
        "numpy", "numpy.ndarray", lambda numpy: numpy.array(VALUES), lambda y: y.ctypes.data, "cpu"
    ),
    Way("cupy", "cupy.ndarray", lambda cupy: cupy.asarray(VALUES), cuda_array),
    Way(
        "torch",
        "torch.Tensor",
        lambda torch: torch.tensor(VALUES, device=KIND),
        lambda y: y.data_ptr(),
    ),
    Way(
        "jax.numpy",
        "jax.Array",
        lambda jnp: jnp.asarray(VALUES),
        lambda y: y.unsafe_buffer_pointer(),
    ),
    Way(
        "numba.cuda",
        "numba.cuda device array",
        lambda cuda: cuda.to_device(VALUES),
        cuda_array,
    ),
    Way("pycuda.gpuarray", "pycuda.gpuarray.GPUArray", pycuda_copy, cuda_array),
    Way(
        "pyopencl",
        "pyopencl.Buffer, mapped to the host",
        opencl_maps,
        lambda y: y.ctypes.data,
        "cpu",
    ),
]


def available(ways):
    """Parametrize with the ways that this machine has."""
    unavailable = machine.unavailable(KIND)
    kind = "cpu" if KIND == "cpu" else "gpu"
    there = [w for w in ways if not {w.module.split(".")[0], w.needs} & unavailable.keys()]
    found = [w for w in there if kind in w.kinds]
    return pytest.mark.parametrize("way", found, ids=str)


@available(OURS)
def test_they_use_our_memory(way):
    x = cuvec.asarray(VALUES)
    y = way.make(importlib.import_module(way.module), x)
    assert way.address(y) == x.ptr


@available(THEIRS)
def test_functions_use_their_memory(way):
    x, y = way.make(importlib.import_module(way.module)), cuvec.zeros(VALUES.shape)
    assert address(x) == way.address(x)
    axpy(2, x, y)
    np.testing.assert_array_equal(y, 2 * VALUES)


@available(THEIRS)
def test_asarray_copies_their_memory(way):
    x = way.make(importlib.import_module(way.module))
    y = cuvec.asarray(x)
    assert y.ptr != way.address(x)
    np.testing.assert_array_equal(y, VALUES)
