"""Declared functions and their declarations, as `help`, `inspect`, `pickle` and the adapters see them."""

import copy
import importlib
import inspect
import pickle
import pydoc
import weakref

import package
import pytest
from package import NAME, core, gemv, histogram, module, pieces, spin
from signatures import as_inspected

SIGNATURES = {
    "axpy": "(a, x, y, *, stream=None)",
    "dot": "(x, y, *, out=None, stream=None)",
    "fail": "(how, y, *, threads=False, stream=None)",
    "fill": "(y, a, *, stream=None)",
    "gemv": "(a, x, *, alpha=1, beta=-0.5, out=None, stream=None)",
    "histogram": "(x, bins=4, *, low=-0.5, high=1.5, out=None, stream=None)",
    "iota": "(n, *, start, step=-1, out=None, stream=None)",
    "pieces": "(x, *, out=None, stream=None)",
    "ramp": "(*, out=None, stream=None)",
    "rotate": "(matrix, points, *, stream=None)",
}
functions = pytest.mark.parametrize("function", core.declared, ids=lambda it: it.__name__)


@functions
def test_functions_can_be_weakly_referenced(function):
    assert weakref.ref(function)() is function


@pytest.mark.parametrize("name", SIGNATURES)
def test_signatures(name):
    function = getattr(module, name)
    assert str(inspect.signature(function)) == SIGNATURES[name]
    assert inspect.getfullargspec(function).kwonlydefaults["stream"] is None


def test_defaults_are_python_values():
    default = {
        parameter.name: parameter.default
        for function in (gemv, histogram, spin)
        for parameter in inspect.signature(function).parameters.values()
    }
    assert [(type(default[name]), default[name]) for name in ("bins", "beta", "threads")] == [
        (int, 4),
        (float, -0.5),
        (bool, False),
    ]


def test_every_file_is_a_function_or_a_class_of_the_package():
    names = package.required_functions()
    assert names <= package.declared_names()
    assert names <= set(module.__all__)


@functions
def test_names_are_in_the_package(function):
    name = function.__name__
    assert getattr(module, name) is function
    assert (function.__module__, function.__qualname__) == (NAME, name)
    assert name in module.__all__
    assert name in repr(function)


@functions
def test_functions_are_pickled_by_their_names(function):
    for protocol in range(pickle.HIGHEST_PROTOCOL + 1):
        assert pickle.loads(pickle.dumps(function, protocol)) is function
    assert copy.copy(function) is copy.deepcopy(function) is function


@functions
def test_help_has_the_docstring_and_every_parameter(function):
    text = pydoc.plain(pydoc.render_doc(function))
    signature = inspect.signature(function)
    written = "".join(f"{function.__name__}{signature}".split())
    assert written in "".join(text.split())  # long ones are broken into lines
    assert "--" not in text.splitlines()  # the end of the text signature is hidden
    for name in signature.parameters:
        assert f"{name} : " in text


def test_docstrings_are_complete():
    first, _, rest = inspect.getdoc(pieces).partition("\n\n")
    assert first == "Several results, whose extents are calculated."
    assert "every other element" in rest


@functions
def test_signatures_are_available_as_declared(function):
    declared = core.signatures[function.__name__]
    assert declared.startswith((f"{function.__name__}(", f"{function.__name__}<"))
    assert declared in function.__doc__


def test_each_function_has_a_signature():
    assert list(core.signatures) == [function.__name__ for function in core.declared]
    assert core.signatures["axpy"] == "axpy<T: float32, float64>(a: T, x: T(...), y: inout T(...))"


declaration = importlib.import_module(f"{NAME}.cuvec.declaration")
extents = importlib.import_module(f"{NAME}.cuvec.extents")


@pytest.mark.parametrize("function", core.declared, ids=lambda it: it.__name__)
def test_parameters_match_the_function(function):
    read = declaration.declarations()[function.__name__]
    assert read.text == core.signatures[function.__name__]
    expected = inspect.signature(function).parameters.values()
    expected = [it for it in expected if it.name not in ("out", "stream")]
    declared = read.signature().parameters.values()
    assert [it.replace(default=as_inspected(it.default)) for it in declared] == expected
    assert read.name == function.__name__
    assert bool(read.results) == ("out" in inspect.signature(function).parameters)


def test_everything_that_a_declaration_may_contain():
    n, m = ("n", ("n",)), ("m", ("m",))
    read = declaration.of(
        (
            "f",
            "f<S: int8, int16, T: complex64>(…)",
            "What it does.",
            True,
            False,
            {"S": ("int8", "int16"), "T": ("complex64",)},
            (
                ("a", "S", "in", (("2*(n-1)", (2, "n", 1, "-", "*")), m), False, ()),
                ("b", "T", "inout", (("...", ()), n), False, (), False, False, (), "strided"),
                ("c", "T", "out", (), False, (), False, False, (), "rows"),
                ("d", "float64", "in", None, True, (-0.0015,)),
                ("e", "bool", "in", None, True, (True,)),
            ),
            (
                ("", "S", "out", (n, m), False, (), True),
                ("sum", "float64", "out", None, False, ()),
            ),
            ((("a",), "g", (("x", "value", 0), ("dy", "gradient", 1))),),
        )
    )
    shapes = [
        it.shape if it.shape is None else [size.text for size in it.shape]
        for it in (*read.arguments, *read.results)
    ]
    assert shapes == [["2*(n-1)", "m"], ["n"], [], None, None, ["n", "m"], None]
    assert [it.leading for it in read.arrays] == [False, True, False]
    assert (read.loops, read.allow_cuda_graph) == (True, False)
    assert [it.direction for it in read.arrays] == ["in", "inout", "out"]
    assert [it.layout for it in read.arrays] == ["", "strided", "rows"]
    assert [it.default for it in read.numbers] == [-0.0015, True]
    assert [it.keyword_only for it in read.arguments] == [False] * 3 + [True] * 2
    assert [it.name for it in read.results] == ["", "sum"]
    assert [it.at_most for it in read.results] == [True, False]
    assert read.found == "out"
    assert [(it.gradients, it.function) for it in read.derivative.steps] == [(("a",), "g")]
    assert read.derivative.values == (0,)
    assert read.dtypes({"a": "int16", "b": "complex64", "c": "complex64"}, {}) == {
        "S": "int16",
        "T": "complex64",
        "real(S)": "int16",
        "real(T)": "float32",
    }
    assert extents.names_of(read.arguments[0]) == {"n", "m"}


def shapes_of(result, shapes, numbers):
    """Return the shape of a result of ``f(x: int8(n), k: int64)`` with one axis, `result`."""
    arguments = [("x", "int8", "in", (("n", ("n",)),), False, ())]
    arguments += [(name, "int64", "in", None, False, ()) for name in numbers]
    results = [("", "int8", "out", (("…", result),), False, ())]
    found = extents.Extents(declaration.of(("f", "", "", False, True, {}, arguments, results, [])))
    sizes = found.sizes(shapes, numbers, extents.check_value)
    return found.results(shapes, sizes, extents.check_value)


@pytest.mark.parametrize(
    ("terms", "size"),
    [
        (("n",), 7),
        ((3,), 3),
        (("n", 2, "-", 1, "-"), 4),
        ((2, "n", 1, "+", "*", 3, "/"), 5),
        (("n", "n", 2, "/", 2, "*", "-"), 1),
        ((1, "n", "-", 4, "/", 2, "+"), 0),
    ],
)
def test_sizes_are_computed_as_in_native_code(terms, size):
    assert shapes_of(terms, {"x": (7,)}, {}) == [(size,)]


def test_division_by_zero_is_refused():
    with pytest.raises(ValueError, match="a size is divided by zero"):
        shapes_of((3, "n", "/"), {"x": (0,)}, {})


def test_a_scalar_and_an_array_give_the_same_size():
    assert shapes_of(("n",), {"x": (3,)}, {"n": 3}) == [(3,)]
