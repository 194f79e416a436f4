"""Arguments that are dtypes, which results have."""

import importlib
import inspect

import numpy as np
import pytest
from errors import exactly
from package import astype, converted, core, cuvec, full, module

X = np.array([[-1.5, 0.25, 2.0], [3.0, -4.0, 70000.0]], "f4")


def test_the_result_has_the_dtype_that_is_asked_for():
    for name in ("float32", "int64"):
        y = astype(X, dtype=name)
        assert y.dtype == name
        np.testing.assert_array_equal(y, X.astype(name))
    with np.errstate(over="ignore"):
        wanted = X.astype("f2")
    y = astype(X)
    assert y.dtype == "float16"
    np.testing.assert_array_equal(y, wanted)


@pytest.mark.parametrize(
    "dtype", ["int64", np.int64, np.dtype("int64"), "i8", int, np.str_("int64")], ids=repr
)
def test_a_dtype_by_any_of_its_names(dtype):
    assert astype(X, dtype=dtype).dtype == np.int64


def test_dtypes_of_other_libraries():
    torch = pytest.importorskip("torch", reason="PyTorch is not installed")
    assert astype(X, dtype=torch.int64).dtype == np.int64
    with pytest.raises(TypeError, match=r"not torch\.bfloat16$"):
        astype(X, dtype=torch.bfloat16)


def test_a_dtype_of_jax():
    jax = pytest.importorskip("jax", reason="JAX is not installed")
    assert astype(X, dtype=jax.numpy.float32).dtype == np.float32


def test_another_dtype_is_told_the_choices():
    choices = "dtype must be float32, float16 or int64, not "
    for given, shown in [
        ("float64", "float64"),
        (np.float64, "float64"),
        (">f2", ">f2"),
        ("nonsense", "nonsense"),
        (None, "None"),
        (3, "3"),
    ]:
        with pytest.raises(TypeError, match=exactly(choices + shown)):
            astype(X, dtype=given)


def test_out_must_have_the_dtype():
    y = cuvec.empty(X.shape, "int64")
    assert astype(X, dtype="int64", out=y) is y
    np.testing.assert_array_equal(y, X.astype("int64"))
    y[...] = 7
    message = "out has dtype int64, but must have float16; dtype='int64' chooses int64"
    with pytest.raises(TypeError, match=exactly(message)):
        astype(X, out=y)
    assert (y == 7).all()


def test_what_an_array_decides_is_checked_besides():
    message = exactly("x has dtype float64, but must have float32 or int32")
    with pytest.raises(TypeError, match=message):
        astype(X.astype("f8"), dtype="float32")


def test_a_function_without_arrays():
    np.testing.assert_array_equal(full(), np.ones(3))
    y = full("complex64", 2, 1 - 2j)
    assert y.dtype == "complex64"
    np.testing.assert_array_equal(y, [1 - 2j] * 2)
    with pytest.raises(TypeError, match=exactly("value must be an integer, not float")):
        full("int32", value=0.5)
    with pytest.raises(OverflowError, match="does not fit into int32"):
        full(np.int32, value=1 << 31)


def test_signature_and_help():
    expected = "(x, *, dtype='float16', out=None, stream=None)"
    assert str(inspect.signature(astype)) == expected
    line = "\ndtype : {'float32', 'float16', 'int64'} or such a dtype, default 'float16'\n"
    assert line in astype.__doc__
    assert "*, dtype: D = float16) -> " in core.signatures["astype"]


def test_stub():
    stub = importlib.resources.files(module) / "cuvec" / "functions.pyi"
    text = stub.read_text(encoding="utf-8")
    assert "dtype: Literal['float32', 'float16', 'int64'] | _DType = 'float16', " in text


def test_one_without_a_default_is_required():
    x = X[1]
    assert converted(x, dtype="float64").dtype == np.float64
    np.testing.assert_array_equal(converted(x, dtype=np.float32), x)
    with pytest.raises(TypeError, match=exactly("converted() missing required argument 'dtype'")):
        converted(x)
    with pytest.raises(TypeError, match=exactly("dtype must be float32 or float64, not int8")):
        converted(x, dtype="int8")
    assert str(inspect.signature(converted)) == "(x, *, dtype, out=None, stream=None)"
    assert "\ndtype : {'float32', 'float64'} or such a dtype\n" in converted.__doc__
    assert "*, dtype: dtype(D)) -> " in core.signatures["converted"]
    stub = importlib.resources.files(module) / "cuvec" / "functions.pyi"
    text = stub.read_text(encoding="utf-8")
    assert "dtype: Literal['float32', 'float64'] | _DType, " in text


@pytest.mark.gpu
def test_on_a_stream(stream):
    x = cuvec.asarray(X)
    y = astype(x, dtype="int64", stream=stream)
    cuvec.dev_sync()
    np.testing.assert_array_equal(y, X.astype("int64"))
