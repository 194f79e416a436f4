"""Expectations of errors: complete messages, documented exceptions, and that the next call works."""

import re

import hypothesis
import numpy as np
from package import axpy, cuvec, dot

# RuntimeError: an error from CUDA about memory that is not where an exporter claims it is
PROMISED = (TypeError, ValueError, MemoryError, BufferError, RuntimeError)
fuzz = hypothesis.settings(
    max_examples=300,
    deadline=None,
    database=None,
    suppress_health_check=[hypothesis.HealthCheck.too_slow],  # on a busy machine
)


def check_that_everything_works():
    x, y = cuvec.ones(6), np.full(6, 2, "f4")
    axpy(2, x, y)
    assert dot(x, y) == 24


def exactly(message):
    """Return a pattern for `pytest.raises` that matches exactly this message."""
    return f"^{re.escape(message)}$"


def described(a):
    """Return a message's words for an object that is not a number, or not a string of an option."""
    if not isinstance(a, np.ndarray):
        return type(a).__name__
    return f"an array of shape {a.shape}" if a.ndim else f"an array of {a.dtype}"
