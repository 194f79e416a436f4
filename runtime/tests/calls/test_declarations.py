"""Signatures as Python knows them: the same as those that the build has parsed."""

import importlib
import inspect

import pytest
from package import NAME, core

declaration = importlib.import_module(f"{NAME}.cuvec.declaration")
extents = importlib.import_module(f"{NAME}.cuvec.extents")


def whole(a, b, c, *, d=-0.0015, e=True, k=-4, out=None, stream=None):
    """Stand for the function of `WHOLE`."""


WHOLE = """f<S: int8, int16, T: complex64>(a: S(2*(n - 1), m),
 b: inout T(...), c: out T(), *, d: float64 = -1.5 * (1e-3 + 0.), e: bool = true, k: int8 = -4)
 -> S(k, n/2), sum: float64"""


@pytest.mark.parametrize("function", core.declared, ids=lambda it: it.__name__)
def test_parameters_are_those_of_the_function(function):
    read = declaration.declarations()[function.__name__]
    assert read.text == core.signatures[function.__name__]
    expected = inspect.signature(function).parameters.values()
    expected = [it for it in expected if it.name not in ("out", "stream")]
    assert list(read.signature().parameters.values()) == expected
    assert read.name == function.__name__
    assert bool(read.results) == ("out" in inspect.signature(function).parameters)


def test_everything_that_a_signature_may_contain():
    read = declaration.read(WHOLE, whole)
    assert read.variables == {"S": ("int8", "int16"), "T": ("complex64",)}
    shapes = [it.shape for it in (*read.arguments, *read.results)]
    assert shapes == [("2*(n-1)", "m"), ("...",), (), None, None, None, ("k", "n/2"), None]
    assert [it.direction for it in read.arrays] == ["in", "inout", "out"]
    assert [it.default for it in read.numbers] == [-0.0015, True, -4]
    assert [it.keyword_only for it in read.arguments] == [False] * 3 + [True] * 3
    assert [it.name for it in read.results] == ["", "sum"]
    assert read.dtypes({"a": "int16", "b": "complex64", "c": "complex64"}) == {
        "S": "int16",
        "T": "complex64",
    }


@pytest.mark.parametrize("text", ["", "f", "f(x int8)", "f(x: int8(n)", "f() -> x: y: int8"])
def test_invalid_signatures_are_refused(text):
    with pytest.raises(ValueError, match="of a declared function"):
        declaration.read(text, whole)


def shapes_of(text, shapes, numbers):
    found = extents.Extents(declaration.read(text, whole))
    sizes = found.sizes(shapes, numbers, extents.check_value)
    return found.results(shapes, sizes, extents.check_value)


@pytest.mark.parametrize(
    ("extent", "size"),
    [("n", 7), ("3", 3), ("n-2-1", 4), ("2*(n+1)/3", 5), ("n-n/2*2", 1), ("(1-n)/4+2", 0)],
)
def test_sizes_are_computed_as_in_native_code(extent, size):
    assert shapes_of(f"f(x: int8(n)) -> int8({extent})", {"x": (7,)}, {}) == [(size,)]


def test_division_by_zero_is_refused():
    with pytest.raises(ValueError, match="an extent is divided by zero"):
        shapes_of("f(x: int8(n)) -> int8(3/n)", {"x": (0,)}, {})


def test_a_scalar_and_an_array_give_the_same_size():
    text = "f(x: int8(n), n: int64) -> int8(n)"
    assert shapes_of(text, {"x": (3,)}, {"n": 3}) == [(3,)]
