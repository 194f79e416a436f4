import numpy as np
import pytest

from mypkg import cuvec, power


@pytest.mark.skipif(cuvec.device().kind != "cpu", reason="it has no code for the GPU")
@pytest.mark.parametrize("shape", [(1, 1), (3, 5), (100, 64)])
def test_power(shape: tuple[int, int]) -> None:
    rng = np.random.default_rng(1)
    x = rng.normal(size=shape) + 1j * rng.normal(size=shape)
    np.testing.assert_allclose(power(x), abs(np.fft.fft(x)) ** 2, rtol=1e-12, atol=1e-12)
