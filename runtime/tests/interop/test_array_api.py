"""Libraries on top of NumPy's arrays: the array API standard, xarray and pandas."""

import importlib

import numpy as np
import pytest
from package import cuvec, rms_norm

pytestmark = [pytest.mark.function("rms_norm"), pytest.mark.may_skip]


def rows():
    return np.arange(6, dtype="f4").reshape(2, 3)


@pytest.fixture
def compat():
    return pytest.importorskip("array_api_compat")


def test_arrays_and_results_have_the_namespace_of_numpy(compat):
    x = cuvec.asarray(rows())
    result = rms_norm(x, x[0])
    xp = compat.array_namespace(x, result)
    assert xp is compat.array_namespace(rows())
    assert x.__array_namespace__() is np
    assert (compat.is_numpy_array(x), compat.device(x), compat.size(x)) == (True, "cpu", 6)
    np.testing.assert_array_equal(xp.matmul(result, xp.matrix_transpose(x)), result @ x.T)
    np.testing.assert_array_equal(xp.astype(result, xp.float64), np.asarray(result, "f8"))


def test_results_on_tensors_have_the_namespace_of_pytorch(compat):
    torch = pytest.importorskip("torch")
    x = torch.asarray(rows())
    assert compat.array_namespace(rms_norm(x, x[0]), x) is compat.array_namespace(x)


def test_functions_are_steps_of_generic_code(compat):
    extra = pytest.importorskip("array_api_extra")
    x = cuvec.asarray(rows())
    expected = rms_norm(x, x[0])
    found = extra.lazy_apply(
        lambda it: rms_norm(it, it[0]),
        x,
        shape=x.shape,
        dtype=x.dtype,
        xp=compat.array_namespace(x),
    )
    np.testing.assert_array_equal(found, expected)
    changed = extra.at(expected)[0].set(1)
    assert type(changed) is type(expected)
    np.testing.assert_array_equal(changed, [np.ones(3), expected[1]])


@pytest.mark.parametrize("chunked", [False, True], ids=["arrays", "chunks"])
def test_xarray_applies_functions(chunked):
    xarray = pytest.importorskip("xarray")
    x = xarray.DataArray(rows(), dims=("row", "n"))
    if chunked:
        pytest.importorskip("dask.array")
        x = x.chunk(row=1)
    found = xarray.apply_ufunc(
        rms_norm, x, x[0].compute(), input_core_dims=[["n"], ["n"]], output_core_dims=[["n"]],
        dask="parallelized", output_dtypes=["f4"],
    )  # fmt: skip
    assert found.dims == ("row", "n")
    np.testing.assert_array_equal(found, rms_norm(rows(), rows()[0]))


def test_xarray_keeps_arrays():
    xarray = pytest.importorskip("xarray")
    x = xarray.DataArray(cuvec.asarray(rows()), dims=("row", "n"))
    assert isinstance(x.data, cuvec.CuVec)
    np.testing.assert_array_equal(rms_norm(x.data, x.data[0]), rms_norm(rows(), rows()[0]))


@pytest.mark.parametrize(
    "kind", ["Series", "Index", "array", "arrays.NumpyExtensionArray", "DataFrame"]
)
def test_tables_are_converted_by_hand(kind):
    pandas = pytest.importorskip("pandas")
    make = importlib.import_module("operator").attrgetter(kind)(pandas)
    x = make(np.ones((2, 3), "f4") if kind == "DataFrame" else np.ones(3, "f4"))
    with pytest.raises(TypeError, match=r"x must be an array, not \w+; pass numpy.asarray\(x\)"):
        rms_norm(x, np.ones(3, "f4"))
    ones = np.ones(3, "f4")
    np.testing.assert_array_equal(
        rms_norm(np.asarray(x), ones), rms_norm(np.ones(x.shape, "f4"), ones)
    )
    np.testing.assert_array_equal(cuvec.asarray(x), np.ones(x.shape))
