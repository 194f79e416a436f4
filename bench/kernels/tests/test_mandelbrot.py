import numpy as np
import pytest
from mypkg import cuvec, mandelbrot


@pytest.mark.parametrize("limit", [0, 1, 50])
def test_mandelbrot(limit):
    y, x = np.mgrid[-1.25:1.25:64j, -2:0.5:80j]
    c = x + 1j * y
    steps, z = np.zeros(c.shape, "int32"), np.zeros_like(c)
    for _ in range(limit):
        inside = abs(z) <= 2
        z[inside] = z[inside] ** 2 + c[inside]
        steps[inside] += 1
    found = mandelbrot(cuvec.asarray(c), limit)
    assert (found != steps).mean() < 1e-3  # rounding decides at the border
