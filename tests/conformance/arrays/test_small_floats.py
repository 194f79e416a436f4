"""float16, and what ml_dtypes adds to NumPy: bfloat16, float8_e4m3fn, float8_e5m2 and float8_e8m0fnu."""

import pickle
import re
import subprocess
import sys

import numpy as np
import package
import pytest
from package import NAME, cuvec, fill, first, scale

ml_dtypes = pytest.importorskip("ml_dtypes")

POWERS = "float8_e8m0fnu"  # of two, without zero and signs
EXTENSIONS = ["bfloat16", "float8_e4m3fn", "float8_e5m2", POWERS]
SMALL = ["float16", *EXTENSIONS]


def all_of(dtype):
    """Return every element of a dtype once."""
    dtype = np.dtype(dtype)
    return np.arange(1 << 8 * dtype.itemsize, dtype=f"u{dtype.itemsize}").view(dtype)


def bits(array):
    """Return the bits of elements; whatever is not a number has one pattern."""
    plain = np.array(array)
    plain[np.isnan(plain.astype("f4"))] = np.nan
    return plain.view(f"u{plain.itemsize}")


@pytest.mark.parametrize("dtype", EXTENSIONS)
def test_arrays_are_made_by_name_and_by_type(dtype):
    expected = np.dtype(getattr(ml_dtypes, dtype))
    for given in (dtype, expected, expected.type):
        x = cuvec.ones((2, 3), given)
        assert (x.dtype, x.nbytes, x.tolist()) == (expected, 6 * expected.itemsize, [[1.0] * 3] * 2)
    assert cuvec.zeros_like(x).dtype == cuvec.empty_like(x).dtype == expected
    assert cuvec.asarray([0.5, 2.0], dtype).tolist() == [0.5, 2.0]
    assert cuvec.asarray(np.array([0.5, 2.0], expected)).dtype == expected


@pytest.mark.parametrize("dtype", EXTENSIONS)
def test_copies_and_pickles_keep_the_dtype(dtype):
    x = cuvec.asarray([[1, 2], [3, 4]], dtype)
    for other in (x.copy("F"), pickle.loads(pickle.dumps(x)), x.T.copy().T):
        assert (type(other), other.dtype) == (cuvec.CuVec, x.dtype)
        np.testing.assert_array_equal(other, x)


@pytest.mark.parametrize("dtype", SMALL)
@pytest.mark.parametrize("a", [1.0, 1.1, 1 / 3, 1e-3, 300.0, 1e-39, -1.0, np.inf])
def test_results_are_rounded_as_ml_dtypes_does(dtype, a):
    cuvec.zeros(0, dtype)  # gives NumPy the name
    x = cuvec.asarray(all_of(dtype))
    with np.errstate(all="ignore"):
        expected = (np.float32(a) * np.asarray(x).astype("f4")).astype(x.dtype)
    y = scale(a, x)
    assert y.dtype == x.dtype
    np.testing.assert_array_equal(bits(y), bits(expected))


@pytest.mark.parametrize("dtype", EXTENSIONS)
def test_numpys_arrays_are_arguments(dtype):
    x = np.array([1, 2, 4], getattr(ml_dtypes, dtype))
    assert scale(2, x).tolist() == [2, 4, 8]
    out = np.zeros(3, x.dtype)
    scale(2, x, out=out)
    assert out.tolist() == [2, 4, 8]


@pytest.mark.parametrize("dtype", EXTENSIONS)
def test_numbers_are_rounded_and_returned(dtype):
    x = cuvec.zeros(3, dtype)
    fill(x, 1.1)
    nearest = np.float32(1.1).astype(x.dtype)
    assert x.tolist() == [nearest] * 3
    assert first(x) == float(nearest)
    assert type(first(x)) is float


@pytest.mark.parametrize(
    ("dtype", "largest", "beyond"),
    [
        ("bfloat16", 3.38e38, 3.4e38),
        ("float8_e4m3fn", 448, 465),
        ("float8_e5m2", 57344, 61440),
        (POWERS, 2.0**127, 1.5 * 2.0**127),
        (POWERS, 2.0**-127, 0.0),
        (POWERS, 1.0, -1.0),
    ],
)
def test_numbers_that_do_not_fit_are_refused(dtype, largest, beyond):
    x = cuvec.zeros(1, dtype)
    fill(x, largest)
    assert np.isfinite(x.astype("f4")).all()
    with pytest.raises(OverflowError, match=re.escape(f"a = {beyond} does not fit into {dtype}")):
        fill(x, beyond)


@pytest.mark.parametrize("dtype", EXTENSIONS[:1])
def test_another_byte_order_is_refused(dtype):
    cuvec.zeros(0, dtype)
    swapped = np.dtype(dtype).newbyteorder()
    x = np.array([1, 2], "f4").astype(swapped)
    with pytest.raises(TypeError, match=r"x: arrays of dtype .* in native byte order"):
        first(x)
    with pytest.raises(TypeError, match="unsupported dtype"):
        cuvec.zeros(3, swapped)
    assert cuvec.asarray(x).tolist() == [1, 2]


def test_other_dtypes_of_ml_dtypes_are_refused():
    with pytest.raises(TypeError, match="x: arrays of dtype float8_e4m3b11fnuz are not supported"):
        first(np.zeros(3, ml_dtypes.float8_e4m3b11fnuz))
    with pytest.raises(TypeError, match="unsupported dtype `float8_e4m3b11fnuz`"):
        cuvec.zeros(3, ml_dtypes.float8_e4m3b11fnuz)


@pytest.mark.parametrize("dtype", EXTENSIONS)
def test_other_libraries_take_them_by_dlpack(dtype):
    torch = pytest.importorskip("torch")
    x = cuvec.asarray([1, 2, 4], dtype)
    tensor = torch.from_dlpack(x)
    assert (tensor.data_ptr(), tensor.dtype) == (x.ptr, getattr(torch, dtype))
    assert scale(2, tensor).tolist() == [2, 4, 8]
    again = cuvec.asarray(tensor)
    assert (type(again), again.dtype, again.tolist()) == (cuvec.CuVec, x.dtype, x.tolist())


@pytest.mark.parametrize("dtype", EXTENSIONS)
def test_the_cuda_array_interface_cannot_say_them(dtype):
    assert not hasattr(cuvec.zeros(3, dtype), "__cuda_array_interface__")
    assert not hasattr(cuvec.zeros(3, dtype).cuvec, "__cuda_array_interface__")


def test_without_ml_dtypes_the_error_says_what_to_install():
    code = (
        "import sys; sys.modules['ml_dtypes'] = None\n"
        f"from {NAME} import cuvec\n"
        "try:\n    cuvec.zeros(3, 'bfloat16')\n"
        "except ImportError as error:\n    print(error)"
    )
    said = subprocess.run([sys.executable, "-c", code], check=True, capture_output=True, text=True)
    expected = "ml_dtypes, which adds bfloat16 to NumPy, is not installed: pip install ml_dtypes\n"
    assert said.stdout == expected


@pytest.mark.parametrize("dtype", EXTENSIONS)
def test_scalars_of_ml_dtypes_are_numbers(dtype):
    x = cuvec.zeros(2, dtype)
    fill(x, x.dtype.type(0.5))
    assert x.tolist() == [0.5, 0.5]
    y = cuvec.zeros(2)
    fill(y, x[0])
    assert y.tolist() == [0.5, 0.5]


@pytest.mark.function("quantize")
@pytest.mark.parametrize("dtype", ["float32", "bfloat16"])
def test_arrays_of_larger_floats_become_8_bits(dtype):
    cuvec.zeros(0, dtype)  # gives NumPy the name
    x = np.random.default_rng(3).normal(0, 1000, 5000).astype(dtype)
    for given in (x, cuvec.asarray(x)):
        q = package.module.quantize(given, scale=2)
        assert q.dtype == ml_dtypes.float8_e4m3fn
        expected = np.clip(x.astype("f4") / np.float32(2), -448, 448).astype(q.dtype)
        np.testing.assert_array_equal(bits(q), bits(expected))


# Half a step is in the upper 20 bits of a float32, for each of these dtypes; below that, only zero is different.
LOWER = np.array([0, 1, 0x7FF, 0x800, 0x801, 0xFFF], "u4")


def converted(x, dtype):
    """Return the bits of float32 numbers as a smaller dtype, of which one NaN has each sign."""
    floats = x.view("f4")
    with np.errstate(all="ignore"):
        expected = floats.astype(dtype)
    if dtype == POWERS:
        return expected.view("u1")
    nan = np.array(np.nan, dtype).view(f"u{expected.itemsize}") & (
        0x7FFF if expected.itemsize == 2 else 0x7F
    )
    sign = (x >> 31 << (8 * expected.itemsize - 1)).astype(nan.dtype)
    return np.where(np.isnan(floats), nan | sign, expected.view(nan.dtype))


@pytest.mark.function("convert_both")
@pytest.mark.parametrize("dtype", SMALL)
def test_all_of_them_are_converted_with_the_bits_of_nan(dtype):
    """NaN keeps its sign and its fraction: the GPU's own conversions would lose both."""
    cuvec.zeros(0, dtype)  # gives NumPy the name
    y = cuvec.asarray(all_of(dtype))
    given, whole = y.view(f"u{y.itemsize}").astype("u4"), all_of(dtype).astype("f4").view("u4")
    fraction = {"float16": 10, "bfloat16": 7, "float8_e4m3fn": 3, "float8_e5m2": 2}.get(dtype)
    top = given << (32 - 8 * y.itemsize)
    nan = 0x7FC00000
    if fraction:
        nan = top & 0x80000000 | 0x7F800000 | given << (23 - fraction) & 0x7FFFFF
    x = cuvec.zeros(y.shape, "f4")
    package.module.convert_both(x, y)
    np.testing.assert_array_equal(x.view("u4"), np.where(np.isnan(whole.view("f4")), nan, whole))
    assert (y.view("u1") == (0xFF if dtype == POWERS else 0)).all()


@pytest.mark.function("convert_both")
@pytest.mark.parametrize("dtype", SMALL)
def test_float32_is_rounded_with_the_bits_of_nan(dtype):
    cuvec.zeros(0, dtype)  # gives NumPy the name
    for lower in LOWER:
        x = cuvec.asarray((np.arange(1 << 20, dtype="u4") << 12 | lower).view("f4"))
        expected = converted(np.array(x).view("u4"), dtype)
        y = cuvec.zeros(x.shape, dtype)
        package.module.convert_both(x, y)
        np.testing.assert_array_equal(np.array(y).view(expected.dtype), expected)


@pytest.mark.gpu
@pytest.mark.function("convert_both")
def test_all_of_float32_is_rounded_to_bfloat16():
    """All 2**32 of them; the test above has those that decide."""
    upper = np.arange(1 << 16, dtype="u4")[:, None] << 16
    y = cuvec.zeros((1 << 16, 256), "bfloat16")
    # Each lower half is one of four cases, and all of a case are rounded to the same.
    low, tie, high = (converted(upper | lower, "bfloat16") for lower in (1, 0x8000, 0x8001))
    for first_lower in range(0, 1 << 16, 256):
        lower = np.arange(first_lower, first_lower + 256, dtype="u4")
        expected = np.where(lower < 0x8000, low, high)
        if first_lower in (0, 0x8000):
            expected[:, :1] = converted(upper, "bfloat16") if first_lower == 0 else tie
        package.module.convert_both(cuvec.asarray((upper | lower).view("f4")), y)
        np.testing.assert_array_equal(np.array(y).view("u2"), expected)
