"""Functions of floating-point numbers: how exact they are, and that in Rust both sides give the same bits."""

import ast
import hashlib
import math
import os

import numpy as np
import package
import pytest
from package import cuvec

pytestmark = pytest.mark.function("elementary")

SPECIAL = [0.0, -0.0, math.inf, -math.inf, math.nan, 1.0, -1.0, 0.5, -0.5, 2.0, 3.0, 10.0, 100.0]


def vectorized(function):
    """Return a function of math for arrays, with the values of C where math raises."""

    def value(x):
        try:
            return function(x)
        except OverflowError:
            return math.inf
        except ValueError:
            if function is math.lgamma:
                return math.inf
            return math.copysign(math.inf, x) if x == 0 else math.nan

    return np.vectorize(value, otypes=[np.float64])


# For each function the range of its arguments, and what to compare with.
ELEMENTARY = {
    "sin": (-1e3, 1e3, np.sin),
    "cos": (-1e3, 1e3, np.cos),
    "tan": (-1e3, 1e3, np.tan),
    "asin": (-1, 1, np.arcsin),
    "acos": (-1, 1, np.arccos),
    "atan": (-50, 50, np.arctan),
    "sinh": (-20, 20, np.sinh),
    "cosh": (-20, 20, np.cosh),
    "tanh": (-20, 20, np.tanh),
    "asinh": (-50, 50, np.arcsinh),
    "acosh": (1, 50, np.arccosh),
    "atanh": (-1, 1, np.arctanh),
    "exp": (-80, 80, np.exp),
    "exp2": (-100, 100, np.exp2),
    "exp_m1": (-20, 80, np.expm1),
    "ln": (0, 1e3, np.log),
    "ln_1p": (-1, 1e3, np.log1p),
    "log2": (0, 1e3, np.log2),
    "log10": (0, 1e3, np.log10),
    "sqrt": (0, 1e3, np.sqrt),
    "rsqrt": (1e-3, 1e3, lambda x: 1 / np.sqrt(x)),
    "cbrt": (-1e3, 1e3, np.cbrt),
    "erf": (-4, 4, vectorized(math.erf)),
    "erfc": (-4, 9, vectorized(math.erfc)),
    "gamma": (-5, 30, vectorized(math.gamma)),
    "ln_gamma": (3, 30, vectorized(math.lgamma)),
}
# The largest error in units in the last place, where it is not below 2: of 1, where the logarithm of the gamma function is less.
MOST = {"sqrt": 0.5, "erfc": 3, "gamma": 10, "ln_gamma": 8}


def rounded(x):
    return np.copysign(np.floor(np.abs(x) + x.dtype.type(0.5)), x)


def signum(x):
    return np.where(np.isnan(x), x, np.copysign(x.dtype.type(1), x))


def rem_euclid(x, y):
    rest = np.fmod(x, y)
    return rest + np.where(rest < 0, np.abs(y), 0)


# Functions of so many arguments, whose results have to be right to the bit, but where each operation is rounded.
ARITHMETIC = {
    "floor": (1, np.floor),
    "ceil": (1, np.ceil),
    "round": (1, rounded),
    "trunc": (1, np.trunc),
    "fract": (1, lambda x: x - np.trunc(x)),
    "abs": (1, np.abs),
    "signum": (1, signum),
    "recip": (1, lambda x: 1 / x),
    "rem_euclid": (2, rem_euclid),
    "copysign": (2, np.copysign),
    "min": (2, np.fmin),
    "max": (2, np.fmax),
    "clamp": (3, lambda x, y, z: np.where(x < y, y, np.where(x > z, z, x))),
    "to_degrees": (1, np.rad2deg),
    "to_radians": (1, np.deg2rad),
    "atan2": (2, np.arctan2),
    "powf": (2, np.power),
    "hypot": (2, np.hypot),
    "mul_add": (3, lambda x, y, z: x * y + z),
    "cubed": (1, lambda x: x * x * x),
}
ROUNDED = ["to_degrees", "to_radians", "atan2", "powf", "hypot", "mul_add", "cubed"]


def as_dtype(numbers, dtype):
    if dtype == "bfloat16":
        return numbers.astype(pytest.importorskip("ml_dtypes").bfloat16)
    return numbers.astype(dtype)


def arguments(low, high):
    random = np.random.default_rng(7)
    near = random.uniform(-1, 1, 500) * 10.0 ** random.integers(-8, 0, 500)
    return np.concatenate([SPECIAL, np.linspace(low, high, 4001), near])


def several_arguments():
    pairs = np.array(np.meshgrid(SPECIAL, SPECIAL)).reshape(2, -1)
    x, y = np.concatenate([pairs, np.random.default_rng(3).uniform(-20, 20, (2, 3000))], axis=1)
    return x, y, np.sort(np.stack([y, y[::-1]]), axis=0)[1]


def error(got, expected, least=0):
    """Return the largest error, in units in the last place of what was expected."""
    with np.errstate(over="ignore"):
        exact = expected.astype(got.dtype)
    same = (np.isnan(got) & np.isnan(exact)) | (got == exact)
    finite = np.isfinite(got) & np.isfinite(exact)
    assert (same | finite).all(), (got[~(same | finite)], exact[~(same | finite)])
    ulp = np.spacing(np.maximum(np.abs(exact[finite]), exact.dtype.type(least))).astype(
        expected.dtype
    )
    return float((np.abs(got[finite].astype(expected.dtype) - expected[finite]) / ulp).max())


def wider(dtype):
    """Return a dtype with more bits; on most machines, that is."""
    return np.longdouble if dtype == "float64" else np.float64


@pytest.mark.parametrize("name", ELEMENTARY)
@pytest.mark.parametrize("dtype", ["float32", "float64"])
def test_errors_of_elementary_functions(name, dtype):
    low, high, reference = ELEMENTARY[name]
    x = as_dtype(arguments(low, high), dtype)
    with np.errstate(all="ignore"):
        expected = reference(x.astype(wider(dtype)))
    got = np.asarray(package.module.elementary(cuvec.asarray(x), f=name))
    assert error(got, expected, name == "ln_gamma") <= MOST.get(name, 2)


@pytest.mark.parametrize("name", ARITHMETIC)
@pytest.mark.parametrize("dtype", ["float32", "float64"])
def test_arithmetic(name, dtype):
    x, y, z = (as_dtype(it, dtype) for it in several_arguments())
    got = np.asarray(package.module.arithmetic(*map(cuvec.asarray, (x, y, z)), f=name))
    with np.errstate(all="ignore"):
        if name in ROUNDED:
            x, y, z = (it.astype(wider(dtype)) for it in (x, y, z))
        count, reference = ARITHMETIC[name]
        expected = reference(*[x, y, z][:count])
    if name in ROUNDED:
        assert error(got, expected) <= 2
    else:
        np.testing.assert_array_equal(got, expected)
        zeros = (x == 0) & (got == 0) & (name not in ("min", "max", "clamp", "rem_euclid"))
        np.testing.assert_array_equal(np.signbit(got[zeros]), np.signbit(expected[zeros]))


def test_small_floats_compute_as_float32():
    given = [as_dtype(it, "bfloat16") for it in several_arguments()]
    wide = [it.astype(np.float32) for it in given]
    for name in ARITHMETIC:
        if name in ("rem_euclid", "fract", "to_degrees", "to_radians", "cubed"):
            continue  # several operations, each of which is rounded
        with np.errstate(over="ignore", invalid="ignore"):
            expected = np.asarray(package.module.arithmetic(*wide, f=name)).astype(given[0].dtype)
        got = np.asarray(package.module.arithmetic(*given, f=name))
        np.testing.assert_array_equal(got.astype(np.float32), expected.astype(np.float32))


@pytest.mark.parametrize("dtype", ["complex64", "complex128"])
def test_complex_numbers(dtype):
    parts = np.random.default_rng(5).uniform(-3, 3, (2, 1000))
    z = (parts[0] + 1j * parts[1]).astype(dtype)
    z[:4] = [0, 1, -1, 1j]
    norm, angle, back, exp = map(np.asarray, package.module.polar(cuvec.asarray(z)))
    tolerance = 4 * np.finfo(dtype).eps
    np.testing.assert_allclose(norm, np.abs(z), rtol=tolerance)
    np.testing.assert_allclose(angle, np.angle(z), rtol=tolerance)
    np.testing.assert_allclose(back, z, rtol=0, atol=8 * tolerance)
    np.testing.assert_allclose(exp, np.exp(z), rtol=4 * tolerance)
    large = np.array([3e30 + 4e30j], dtype)
    assert np.isfinite(np.asarray(package.module.polar(cuvec.asarray(large)).norm)).all()


FAST = {
    "sin": (-3, 3, np.sin),
    "cos": (-3, 3, np.cos),
    "tan": (-1.4, 1.4, np.tan),
    "exp": (-10, 10, np.exp),
    "exp2": (-10, 10, np.exp2),
    "ln": (2, 1e3, np.log),
    "log2": (2, 1e3, np.log2),
    "sqrt": (0.1, 1e3, np.sqrt),
    "rsqrt": (0.1, 1e3, lambda x: 1 / np.sqrt(x)),
    "recip": (0.1, 1e3, lambda x: 1 / x),
    "tanh": (-10, 10, np.tanh),
    "cubed": (0.1, 10, lambda x: x**3),
}


@pytest.mark.function("approximate")
@pytest.mark.parametrize("name", FAST)
def test_fast_functions(name):
    low, high, reference = FAST[name]
    x = np.linspace(low, high, 10_000).astype(np.float32)
    got = np.asarray(package.module.approximate(cuvec.asarray(x), f=name))
    np.testing.assert_allclose(got, reference(x.astype(np.float64)), rtol=4e-6, atol=1e-6)


def bits_of_all():
    """Return a checksum of the results of each function."""
    found = {}
    for dtype in ("float32", "float64"):
        given = [cuvec.asarray(as_dtype(it, dtype)) for it in several_arguments()]
        results = {name: package.module.arithmetic(*given, f=name) for name in ARITHMETIC}
        for name, (low, high, _) in ELEMENTARY.items():
            x = cuvec.asarray(as_dtype(arguments(low, high), dtype))
            results[name] = package.module.elementary(x, f=name)
        for name, result in results.items():
            values = np.array(result)
            values[np.isnan(values)] = np.nan  # of which there are many
            found[f"{name} {dtype}"] = hashlib.sha256(values.tobytes()).hexdigest()
    return found


@pytest.mark.gpu
def test_gpu_and_cpu_give_the_same_bits(run_python):
    code = "import test_float_functions as it; print(it.bits_of_all())"
    folder = os.pathsep.join([str(package.TESTS / "support"), str(package.TESTS / "calls")])
    path = os.pathsep.join([folder, os.environ.get("PYTHONPATH", "")])
    on_cpu = ast.literal_eval(run_python(code, CUVEC_DEVICE="cpu", PYTHONPATH=path))
    on_gpu = bits_of_all()
    assert [name for name in on_gpu if on_gpu[name] != on_cpu[name]] == []
