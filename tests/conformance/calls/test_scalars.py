"""Scalar arguments: what each dtype takes and refuses, and that nothing is silently lost."""

import decimal
import fractions

import numpy as np
import pytest
from errors import described, exactly
from package import axpy, cuvec, fill, gemv, histogram, iota

INTEGERS = ["int8", "uint8", "int16", "uint16", "int32", "uint32", "int64", "uint64"]
FLOATS = ["float16", "float32", "float64"]
COMPLEX = ["complex64", "complex128"]


def filled(dtype, a):
    """Return the value that a scalar argument has as this dtype."""
    y = cuvec.zeros(2, dtype)
    fill(y, a)
    assert y[0] == y[1] or np.isnan(y).all()
    return y[0]


def check_refused(dtype, a, error, match):
    y = cuvec.full(2, 1, dtype)
    with pytest.raises(error, match=match) as caught:
        fill(y, a)
    assert caught.type is error
    assert (y == 1).all()


class Index:
    def __index__(self):
        return 42


class Float:
    def __float__(self):
        return 2.5


class Complex:
    def __complex__(self):
        return 1 + 2j


class Broken:
    def __float__(self):
        raise KeyError("on purpose")

    __index__ = __complex__ = __float__


class TooLarge:
    """A number that says itself that it is too large."""

    def __index__(self):
        raise OverflowError("on purpose")

    __float__ = __index__


class NoFloat:
    def __float__(self):
        return "2.5"


@pytest.mark.parametrize("dtype", INTEGERS)
def test_integers_of_the_whole_range(dtype):
    info = np.iinfo(dtype)
    for a in (info.min, info.max, 0, 1, info.max // 3):
        assert filled(dtype, int(a)) == filled(dtype, np.dtype(dtype).type(a)) == a
    for a in (True, Index(), np.int8(42), np.uint64(42)):
        assert filled(dtype, a) == a.__index__()


@pytest.mark.parametrize("dtype", INTEGERS)
def test_integers_that_do_not_fit(dtype):
    info = np.iinfo(dtype)
    for a in (int(info.max) + 1, int(info.min) - 1):
        check_refused(dtype, a, OverflowError, rf"^a = .* does not fit into {dtype}$")
    for a in (1 << 64, -(1 << 64), 10**400, -(10**400)):
        check_refused(dtype, a, OverflowError, rf" does not fit into {dtype}$")


def test_messages_contain_the_value():
    check_refused("int8", 300, OverflowError, exactly("a = 300 does not fit into int8"))
    check_refused("uint16", -1, OverflowError, exactly("a = -1 does not fit into uint16"))
    check_refused("uint64", np.int64(-5), OverflowError, exactly("a = -5 does not fit into uint64"))


@pytest.mark.parametrize("dtype", INTEGERS)
@pytest.mark.parametrize(
    "a", [1.0, "1", b"1", None, 1j, np.float32(1), fractions.Fraction(1), decimal.Decimal(1), [1]]
)
def test_integers_are_required(a, dtype):
    name = type(a).__name__
    check_refused(dtype, a, TypeError, exactly(f"a must be an integer, not {name}"))


def test_bool():
    for a in (True, 1, np.True_, np.int64(1)):
        assert filled("bool", a) == True
    for a in (False, 0, np.False_):
        assert filled("bool", a) == False
    for a in (2, -1, 10**400):
        check_refused("bool", a, OverflowError, "does not fit into bool$")
    for a in (1.0, "True", None, []):
        name = type(a).__name__
        check_refused("bool", a, TypeError, exactly(f"a must be a bool, not {name}"))


REALS = [
    2,
    2.5,
    True,
    np.float16(2.5),
    np.int8(2),
    fractions.Fraction(5, 2),
    decimal.Decimal("2.5"),
]


@pytest.mark.parametrize("dtype", FLOATS)
@pytest.mark.parametrize(
    "a",
    [*REALS, np.array(2.5), Index(), Float(), cuvec.full((), 2.5)],
    ids=lambda a: type(a).__name__,
)
def test_floats_are_whatever_float_accepts(a, dtype):
    expected = 42 if isinstance(a, Index) else float(a)
    assert filled(dtype, a) == expected


@pytest.mark.parametrize("dtype", FLOATS)
def test_rounding_and_infinity_are_no_errors(dtype):
    for a in (0.1, 1 / 3, 1e-300, -1e-30, np.pi, np.nan, np.inf, -np.inf, 2049.0, -0.0):
        np.testing.assert_equal(filled(dtype, a), np.dtype(dtype).type(a))


FINITE = [
    ("float16", 65504, 65519, 65520),
    ("float32", float(np.finfo("f4").max), 3.40282356e38, 3.4028236e38),
]


@pytest.mark.parametrize(("dtype", "largest", "rounded", "too_large"), FINITE)
def test_a_finite_value_does_not_become_infinite(dtype, largest, rounded, too_large):
    for sign in (1, -1):
        assert filled(dtype, sign * largest) == filled(dtype, sign * rounded) == sign * largest
        for a in (too_large, 1e300):
            check_refused(dtype, sign * a, OverflowError, rf"^a = .* does not fit into {dtype}$")
    check_refused(dtype, 1e300, OverflowError, exactly(f"a = 1e+300 does not fit into {dtype}"))


@pytest.mark.parametrize("dtype", FLOATS + COMPLEX)
def test_integers_beyond_every_float(dtype):
    for a in (10**400, -(10**400)):
        check_refused(dtype, a, OverflowError, rf"^a = -?10+ does not fit into {dtype}$")


@pytest.mark.parametrize("dtype", FLOATS + COMPLEX)
@pytest.mark.parametrize("a", ["2", b"2", bytearray(b"2"), None, [2], {}, object()])
def test_text_is_not_a_scalar(a, dtype):
    name = type(a).__name__
    check_refused(dtype, a, TypeError, exactly(f"a must be a number, not {name}"))


@pytest.mark.parametrize("dtype", FLOATS)
def test_a_complex_number_is_not_a_float(dtype):
    for a in (
        2j,
        2 + 0j,
        Complex(),
        np.complex64(3 + 4j),
        np.clongdouble(3),
        np.array(3 + 4j),
        cuvec.ones((), "F"),
    ):
        message = f"a must be a real number, not {described(a)}"
        check_refused(dtype, a, TypeError, exactly(message))


NO_NUMBERS = [
    np.str_("2"),
    np.bytes_(b"2"),
    np.datetime64(2, "s"),
    np.timedelta64(2, "s"),
    np.array("2"),
    np.array(2, "m8[s]"),
    np.array("2", "O"),
    np.void(b"2"),
]


@pytest.mark.parametrize("dtype", ["bool", *INTEGERS, *FLOATS, *COMPLEX])
@pytest.mark.parametrize("a", NO_NUMBERS, ids=lambda a: f"{type(a).__name__} {a.dtype}")
def test_texts_and_times_are_not_numbers(a, dtype):
    wanted = {"bool": "a bool", **dict.fromkeys(INTEGERS, "an integer")}.get(dtype, "a number")
    check_refused(dtype, a, TypeError, exactly(f"a must be {wanted}, not {described(a)}"))


class Elsewhere:
    """A number in an array of another library, which drops imaginary parts as NumPy does."""

    dtype = np.dtype("F")

    def __float__(self):
        return 3.0


@pytest.mark.parametrize("dtype", FLOATS)
def test_the_dtype_of_an_object_decides(dtype):
    match = exactly("a must be a real number, not Elsewhere")
    check_refused(dtype, Elsewhere(), TypeError, match)
    Elsewhere.dtype = np.dtype("f8")
    try:
        assert filled(dtype, Elsewhere()) == 3
    finally:
        Elsewhere.dtype = np.dtype("F")


@pytest.mark.parametrize("dtype", ["bool", *INTEGERS, *FLOATS, *COMPLEX])
def test_truth_values_of_numpy_equal_pythons(dtype):
    for a in (True, np.True_, np.array(True), cuvec.ones((), "?")):
        assert filled(dtype, a) == 1
    for a in (False, np.False_, np.array(False)):
        assert filled(dtype, a) == 0


@pytest.mark.parametrize("dtype", INTEGERS)
def test_arrays_without_axes_are_scalars(dtype):
    for a in (np.array(42, "i1"), cuvec.full((), 42, dtype)):
        assert filled(dtype, a) == 42
    for a in (np.array(1.0), cuvec.ones(())):
        message = f"a must be an integer, not {described(a)}"
        check_refused(dtype, a, TypeError, exactly(message))


@pytest.mark.parametrize("dtype", COMPLEX)
def test_complex_numbers(dtype):
    for a in (*REALS, 1 + 2j, np.complex64(-1j), Float(), complex(np.inf, -0.0)):
        assert filled(dtype, a) == complex(a)
    assert filled(dtype, Complex()) == 1 + 2j
    assert np.isnan(filled(dtype, complex(np.nan, 1)))


@pytest.mark.parametrize("a", [1e300, 1e300j, complex(0, -1e39)])
def test_neither_part_of_a_complex_number_becomes_infinite(a):
    check_refused("complex64", a, OverflowError, "^a = .* does not fit into complex64$")
    assert filled("complex128", a) == a


@pytest.mark.parametrize("dtype", INTEGERS + FLOATS + COMPLEX)
def test_exceptions_of_the_conversion_are_passed_on(dtype):
    check_refused(dtype, Broken(), KeyError, "on purpose")
    check_refused(dtype, TooLarge(), OverflowError, exactly("on purpose"))


@pytest.mark.parametrize("dtype", FLOATS)
def test_a_float_method_that_returns_no_float(dtype):
    check_refused(dtype, NoFloat(), TypeError, "float|number")


def test_scalars_of_a_type_variable_have_the_dtype_of_its_arrays():
    x = cuvec.ones(1, "f8")
    axpy(1e300, cuvec.ones(1, "f8"), x)
    assert x == 1 + 1e300
    with pytest.raises(OverflowError, match=exactly("a = 1e+300 does not fit into float32")):
        axpy(1e300, cuvec.ones(1), cuvec.ones(1))


def test_defaults():
    a, x = np.eye(2, dtype="c16"), np.array([1 + 1j, 2])
    np.testing.assert_array_equal(gemv(a, x), x - 0.5)
    np.testing.assert_array_equal(gemv(a, x, alpha=1j, beta=2), 1j * x + 2)
    np.testing.assert_array_equal(histogram(np.array([-0.5, 0.0, 1.49], "f4")), [1, 1, 0, 1])
    np.testing.assert_array_equal(iota(3, start=1), [1, 0, -1])
    np.testing.assert_array_equal(iota(3, start=1, step=1 << 40), [1, 1 + (1 << 40), 1 + (2 << 40)])
    for missing in ({"step": None}, {"start": None}):
        with pytest.raises(TypeError, match="must be an integer, not NoneType"):
            iota(3, **{"start": 0, **missing})


def test_sizes_fit_into_their_dtype():
    assert histogram(cuvec.zeros(3), 12_000).shape == (12_000,)  # the most that fit into a block
    with pytest.raises(OverflowError, match=exactly("bins = 32768 does not fit into int16")):
        histogram(cuvec.zeros(3), 32768)
    with pytest.raises(TypeError, match=exactly("bins must be an integer, not float")):
        histogram(cuvec.zeros(3), 4.0)
    for n in (2**63, 2**64 - 1, -(2**63) - 1, 2**64, 10**30):
        with pytest.raises(OverflowError, match=exactly(f"n = {n} does not fit into int64")):
            iota(n, start=0)
