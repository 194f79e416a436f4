"""rms_norm(x, weight, eps=1e-6) -> (y, rstd) and rms_norm_bwd(dy, x, weight, rstd) -> (dx, dweight); dweight is float32."""

import math

import numpy as np
from numba import cuda
from numba.cuda import float32


@cuda.jit
def warp_sum(value):
    for k in (16, 8, 4, 2, 1):
        value += cuda.shfl_xor_sync(0xFFFFFFFF, value, k)
    return value


@cuda.jit
def norm_rows(x, weight, eps, y, rstd):
    row, lane = cuda.grid(1) // 32, cuda.threadIdx.x % 32
    if row < rstd.size:
        squares = float32(0)
        for i in range(lane, weight.size, 32):
            squares += float32(x[row, i]) * float32(x[row, i])
        scale = float32(1) / math.sqrt(warp_sum(squares) / float32(weight.size) + eps)
        for i in range(lane, weight.size, 32):
            y[row, i] = float32(x[row, i]) * scale * float32(weight[i])
        if lane == 0:
            rstd[row] = scale


@cuda.jit
def norm_rows_bwd(dy, x, weight, rstd, dx, dweight):
    row, lane = cuda.grid(1) // 32, cuda.threadIdx.x % 32
    if row < rstd.size:
        products = float32(0)
        for i in range(lane, weight.size, 32):
            products += float32(dy[row, i]) * float32(weight[i]) * float32(x[row, i])
        scale = rstd[row]
        common = warp_sum(products) * scale * scale / float32(weight.size)
        for i in range(lane, weight.size, 32):
            grad, value = float32(dy[row, i]), float32(x[row, i])
            dx[row, i] = scale * (grad * float32(weight[i]) - common * value)
            cuda.atomic.add(dweight, i, grad * value * scale)


def rms_norm(x, weight, eps=1e-6):
    if x.shape[-1:] != weight.shape:
        raise ValueError("the shapes must be (...,n),(n)")
    y, rstd = cuda.device_array(x.shape, x.dtype), cuda.device_array(x.shape[:-1], "float32")
    rows = (rstd.size, weight.size)
    if rstd.size:
        norm_rows[(rstd.size + 7) // 8, 256](
            x.reshape(rows), weight, np.float32(eps), y.reshape(rows), rstd.reshape(rstd.size)
        )
    return y, rstd


def rms_norm_bwd(dy, x, weight, rstd):
    if dy.shape != x.shape or x.shape != (*rstd.shape, *weight.shape):
        raise ValueError("the shapes must be (...,n),(...,n),(n),(...)")
    dx, dweight = cuda.device_array(x.shape, x.dtype), cuda.to_device(np.zeros(weight.size, "float32"))
    rows = (rstd.size, weight.size)
    if rstd.size:
        norm_rows_bwd[(rstd.size + 7) // 8, 256](
            dy.reshape(rows), x.reshape(rows), weight, rstd.reshape(rstd.size), dx.reshape(rows), dweight
        )
    return dx, dweight
