"""blur(image, *, sigma=1) -> result."""

import math

from numba import cuda


@cuda.jit
def blur_pass(image, axis, sigma, result):
    j, i = cuda.grid(2)
    height, width = image.shape
    if i < height and j < width:
        radius = int(math.ceil(3 * sigma))  # noqa: RUF046 -- in Numba ceil may give a float
        total = weights = image.dtype.type(0)
        for d in range(-radius, radius + 1):
            row = min(max(i + d * (1 - axis), 0), height - 1)
            column = min(max(j + d * axis, 0), width - 1)
            weight = image.dtype.type(math.exp(-0.5 * d * d / (sigma * sigma)))
            total += weight * image[row, column]
            weights += weight
        result[i, j] = total / weights


def blur(image, *, sigma=1):
    if not 0 < sigma < 1e6:
        raise ValueError("sigma must be positive and below 1e6")
    height, width = image.shape
    rows, result = cuda.device_array_like(image), cuda.device_array_like(image)
    blocks = (width + 31) // 32, (height + 7) // 8
    blur_pass[blocks, (32, 8)](image, 1, float(sigma), rows)
    blur_pass[blocks, (32, 8)](rows, 0, float(sigma), result)
    return result
