"""Expected results of the functions of rows and strides: NumPy's, in each of their dtypes, however a peer is called."""

from __future__ import annotations

from types import ModuleType
from typing import Any

import ml_dtypes
import numpy as np
from arrays import Arrays
from values import RNG, random

BFLOAT16 = np.dtype(ml_dtypes.bfloat16)
SMALL = {np.dtype("float32"): 1e-4, BFLOAT16: 2e-2}


def dtypes_of(peer: str) -> dict[np.dtype[Any], float]:
    """The dtypes and their tolerances: arrays of Numba's cannot be of bfloat16."""
    return {dtype: SMALL[dtype] for dtype in SMALL if peer != "numba" or dtype != BFLOAT16}


def near(found: np.ndarray, expected: np.ndarray, tolerance: float) -> None:
    np.testing.assert_allclose(found.astype("float64"), expected, rtol=tolerance, atol=tolerance)


def rms_norm_of(peer: str, module: ModuleType, arrays: Arrays, x: Any, weight: Any, dy: Any) -> list[Any]:
    """y, dx and dweight, for eps=0.1."""
    if peer == "numba":
        y, rstd = module.rms_norm(x, weight, 0.1)
        return [y, *module.rms_norm_bwd(dy, x, weight, rstd)]
    if peer == "tvm_ffi":
        y, dx = (arrays.to_gpu(np.zeros(tuple(x.shape), "float32")).to(x.dtype) for _ in range(2))
        rstd, dweight = (arrays.to_gpu(np.full(shape, np.nan, "float32")) for shape in (x.shape[:-1], weight.shape))
        module.rms_norm(x, weight, 0.1, y, rstd)
        module.rms_norm_bwd(dy, x, weight, rstd, dx, dweight)
        return [y, dx, dweight]
    if peer == "torch_extension":
        import torch

        x.requires_grad_(), weight.requires_grad_()
        y = module.rms_norm(x, weight, 0.1)
        return [y, *torch.autograd.grad(y, (x, weight), dy)]
    import jax

    y, differentiate = jax.vjp(lambda x, weight: module.rms_norm(x, weight, 0.1), x, weight)
    return [y, *differentiate(dy)]


def rms_norm(peer: str, module: ModuleType, arrays: Arrays) -> None:
    for dtype, tolerance in dtypes_of(peer).items():
        x, weight, dy = (random(*shape, dtype=dtype) for shape in ((3, 5, 257), (257,), (3, 5, 257)))
        y, dx, dweight = rms_norm_of(peer, module, arrays, *map(arrays.to_gpu, (x, weight, dy)))
        assert arrays.to_host(y).dtype == arrays.to_host(dx).dtype == dtype
        x, weight, dy = (array.astype("float64") for array in (x, weight, dy))
        rstd = 1 / np.sqrt((x * x).mean(-1, keepdims=True) + 0.1)
        common = (dy * weight * x).mean(-1, keepdims=True) * rstd**2
        near(arrays.to_host(y), x * rstd * weight, tolerance)
        near(arrays.to_host(dx), rstd * (dy * weight - common * x), 2 * tolerance)
        near(arrays.to_host(dweight), (dy * x * rstd).sum((0, 1)), 5 * tolerance)


def rotary(peer: str, module: ModuleType, arrays: Arrays) -> None:
    """On the heads in the middle of a larger array, which keeps the others."""
    for dtype, tolerance in dtypes_of(peer).items():
        whole, middle = random(2, 3, 12, 8, dtype=dtype), np.s_[:, :, 4:8]
        cosine, sine = random(3, 4, dtype="float32"), random(3, 4, dtype="float32")
        on_gpu, tables = arrays.to_gpu(whole), [arrays.to_gpu(cosine), arrays.to_gpu(sine)]
        if peer == "jax_ffi":
            import jax

            found = on_gpu.at[middle].set(jax.jit(module.rotary, donate_argnums=0)(on_gpu[middle], *tables))
        else:
            module.rotary(on_gpu[middle], *tables)
            found = on_gpu
        expected = whole.astype("float64")
        first, second = np.split(expected[middle].copy(), 2, -1)
        cosine, sine = cosine[:, None], sine[:, None]
        expected[middle] = np.concatenate([first * cosine - second * sine, first * sine + second * cosine], -1)
        near(arrays.to_host(found), expected, tolerance)


def top_k(peer: str, module: ModuleType, arrays: Arrays) -> None:
    for dtype in ("float32", "float64"):
        x = RNG.integers(0, 50, (2, 3, 1025)).astype(dtype)  # with equal elements
        if peer == "tvm_ffi":
            found = [arrays.to_gpu(np.zeros((2, 3, 7), each)) for each in (dtype, "int64")]
            module.top_k(arrays.to_gpu(x), *found)
        else:
            found = module.top_k(arrays.to_gpu(x), 7)
        values, indices = map(arrays.to_host, found)
        expected = np.argsort(-x, -1, kind="stable")[..., :7]
        np.testing.assert_array_equal(indices, expected)
        np.testing.assert_array_equal(values, np.take_along_axis(x, expected, -1))


def nonzero(peer: str, module: ModuleType, arrays: Arrays) -> None:
    for dtype in ("float32", "int32"):
        x = RNG.integers(0, 3, 100_003).astype(dtype)
        if peer == "tvm_ffi":
            index = arrays.to_gpu(np.zeros(x.size, "int64"))
            index = index[: module.nonzero(arrays.to_gpu(x), index)]
        elif peer == "jax_ffi":
            index, count = module.nonzero(arrays.to_gpu(x))
            index = index[: int(count)]
        else:
            index = module.nonzero(arrays.to_gpu(x))
        np.testing.assert_array_equal(np.sort(arrays.to_host(index)), np.flatnonzero(x))


CHECKS = {each.__name__: each for each in (rms_norm, rotary, top_k, nonzero)}
