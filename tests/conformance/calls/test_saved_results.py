"""Results that are saved for the derivative: callers do not see them."""

import inspect

import numpy as np
import pytest
from package import core, cuvec, rms_norm

pytestmark = pytest.mark.function("rms_norm")

X = np.random.default_rng(5).standard_normal((2, 3, 4)).astype("f4")
WEIGHT = np.arange(1, 5, dtype="f4")
RSTD = 1 / np.sqrt((X.astype("f8") ** 2).mean(-1))
Y = X * RSTD[..., None] * WEIGHT


@pytest.mark.parametrize("make", [np.asarray, cuvec.asarray])
def test_a_call_returns_the_others_alone(make):
    y = rms_norm(make(X), make(WEIGHT), eps=0)
    np.testing.assert_allclose(y, Y, rtol=1e-5)


def test_out_is_for_the_others_alone():
    out = cuvec.empty(X.shape, "f4")
    assert rms_norm(X, WEIGHT, eps=0, out=out) is out
    np.testing.assert_allclose(out, Y, rtol=1e-5)


def test_what_calls_for_a_derivative_gets_them():
    out, rstd = cuvec.empty(X.shape, "f4"), cuvec.empty(X.shape[:-1], "f4")
    assert rms_norm(X, WEIGHT, eps=0, out=(out, rstd)) is out
    np.testing.assert_allclose(out, Y, rtol=1e-5)
    np.testing.assert_allclose(rstd, RSTD, rtol=1e-5)
    with pytest.raises(ValueError, match="rstd"):
        rms_norm(X, WEIGHT, out=(out, cuvec.empty(3, "f4")))


def test_strided_and_looped_arguments():
    wide = np.zeros((2, 3, 8), "f4")
    wide[..., ::2] = X
    np.testing.assert_allclose(rms_norm(wide[..., ::2], WEIGHT, eps=0), Y, rtol=1e-5)
    weights = np.stack([WEIGHT, 2 * WEIGHT])[:, None]
    expected = Y * np.array([1, 2], "f4")[:, None, None]
    np.testing.assert_allclose(rms_norm(X, weights, eps=0), expected, rtol=1e-5)


def test_they_are_not_shown():
    assert "rstd :" not in rms_norm.__doc__
    (spec,) = [it for it in core.specs if it[0] == "rms_norm"]
    assert [(it[0], it[2]) for it in spec[7]] == [("y", "out"), ("rstd", "saved")]
    assert "rstd" not in inspect.signature(rms_norm).parameters
