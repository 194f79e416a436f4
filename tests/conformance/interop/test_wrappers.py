"""A wrapper in Python that is written once serves the arrays of every library, and results are theirs."""

import importlib

import numpy as np
import pytest
from package import activate, cuvec, rms_norm

pytestmark = pytest.mark.function("rms_norm")
X = np.arange(1, 7, dtype="f4").reshape(2, 3)
WEIGHT = np.array([1, 2, 3], "f4")
DEVICE = cuvec.device().kind


def normalized(x, weight, *, gain=2):
    """Return rows of `x` times `gain`, at most 1.5: functions of the package, operators and methods of arrays."""
    y = rms_norm(x, weight)
    return activate(gain * y, "relu", limit=1.5)


EXPECTED = np.minimum(2 * np.asarray(rms_norm(X, WEIGHT)), 1.5)


def of_numpy(x):
    return x


def of_cuvec(x):
    return cuvec.asarray(x)


def of_torch(x):
    return importlib.import_module("torch").asarray(x, device=DEVICE)


def of_jax(x):
    return importlib.import_module("jax.numpy").asarray(x)


def of_cupy(x):
    return importlib.import_module("cupy").asarray(x)


def of_dask(x):
    return importlib.import_module("dask.array").from_array(x, chunks=(1, 3)[-x.ndim :])


MAKERS = [of_numpy, of_cuvec]
MAKERS += [
    pytest.param(it, marks=pytest.mark.library(it.__name__.removeprefix("of_")))
    for it in (of_torch, of_jax, of_cupy, of_dask)
]
every_library = pytest.mark.parametrize("make", MAKERS, ids=lambda it: it.__name__)


def on_host(y):
    """Return an array of any library as NumPy's."""
    for name in ("compute", "get", "cpu"):  # of Dask, CuPy and PyTorch
        y = getattr(y, name, lambda y=y: y)()
    return np.asarray(y)


@every_library
def test_a_wrapper_that_is_written_once(make):
    x, weight = make(X), make(WEIGHT)
    y = normalized(x, weight)
    assert type(y) is (cuvec.CuVec if make is of_numpy else type(x))
    np.testing.assert_allclose(on_host(y), EXPECTED, rtol=1e-6)


@pytest.mark.library("jax")
def test_it_is_part_of_programs_of_jax():
    jax = importlib.import_module("jax")
    y = jax.jit(normalized)(X, WEIGHT)
    np.testing.assert_allclose(y, EXPECTED, rtol=1e-6)
    gradient = jax.grad(lambda x: rms_norm(x, WEIGHT).sum())(X)
    assert gradient.shape == X.shape


@pytest.mark.filterwarnings("ignore")  # PyTorch says that it calls what it cannot trace
@pytest.mark.library("torch")
def test_it_is_part_of_programs_of_torch():
    torch = importlib.import_module("torch")
    program = torch.compile(normalized, backend="eager")
    np.testing.assert_allclose(on_host(program(*map(of_torch, (X, WEIGHT)))), EXPECTED, rtol=1e-6)


@pytest.mark.library("array_api_compat")
@every_library
def test_results_have_the_namespace_of_arguments(make):
    compat = importlib.import_module("array_api_compat")
    x = make(X)
    y = rms_norm(x, make(WEIGHT))
    xp = compat.array_namespace(x, y)
    assert xp is compat.array_namespace(x)
    np.testing.assert_allclose(
        on_host(xp.sum(xp.abs(y))), np.abs(rms_norm(X, WEIGHT)).sum(), rtol=1e-5
    )
