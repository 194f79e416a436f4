import numpy as np
import pytest
from mypkg import cuvec, nbody


@pytest.mark.parametrize("dtype", ["float32", "float64"])
@pytest.mark.parametrize("n", [0, 1, 300])
def test_nbody(n, dtype):
    rng = np.random.default_rng(1)
    place, mass = rng.standard_normal((n, 3)).astype(dtype), rng.random(n).astype(dtype)
    found = nbody(cuvec.asarray(place), cuvec.asarray(mass), softening=0.5)
    away = place[None] - place[:, None]
    expected = (mass[:, None] * away / ((away**2).sum(-1, keepdims=True) + 0.25) ** 1.5).sum(1)
    tolerance = 1e-3 if dtype == "float32" else 1e-11
    np.testing.assert_allclose(found, expected, rtol=tolerance, atol=tolerance)
