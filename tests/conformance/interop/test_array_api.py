"""Libraries on top of NumPy's arrays: the array API standard, xarray and pandas."""

import importlib

import numpy as np
import pytest
from errors import exactly
from package import axpy, cuvec, dot, first, rms_norm

pytestmark = pytest.mark.function("rms_norm")


def rows():
    return np.arange(6, dtype="f4").reshape(2, 3)


@pytest.fixture
def compat():
    return importlib.import_module("array_api_compat")


@pytest.mark.library("array_api_compat")
def test_arrays_and_results_have_the_namespace_of_numpy(compat):
    x = cuvec.asarray(rows())
    result = rms_norm(x, x[0])
    xp = compat.array_namespace(x, result)
    assert xp is compat.array_namespace(rows())
    assert x.__array_namespace__() is np
    assert (compat.is_numpy_array(x), compat.device(x), compat.size(x)) == (True, "cpu", 6)
    np.testing.assert_array_equal(xp.matmul(result, xp.matrix_transpose(x)), result @ x.T)
    np.testing.assert_array_equal(xp.astype(result, xp.float64), np.asarray(result, "f8"))


@pytest.mark.library("array_api_compat")
@pytest.mark.library("array_api_extra")
def test_functions_are_steps_of_generic_code(compat):
    extra = importlib.import_module("array_api_extra")
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


@pytest.mark.may_skip
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


@pytest.mark.may_skip
def test_xarray_keeps_arrays():
    xarray = pytest.importorskip("xarray")
    x = xarray.DataArray(cuvec.asarray(rows()), dims=("row", "n"))
    assert isinstance(x.data, cuvec.CuVec)
    for given in (x, x.data):
        np.testing.assert_array_equal(rms_norm(given, given[0]), rms_norm(rows(), rows()[0]))


@pytest.fixture
def pandas():
    return pytest.importorskip("pandas")


@pytest.mark.may_skip
def test_tables_are_read(pandas):
    table = pandas.DataFrame(rows(), columns=["a", "b", "c"])
    found = rms_norm(table, table.loc[0])
    assert isinstance(found, cuvec.CuVec)
    np.testing.assert_array_equal(found, rms_norm(rows(), rows()[0]))
    y = np.ones(2, "f4")
    axpy(2, table["c"], y)
    np.testing.assert_array_equal(y, 1 + 2 * rows()[:, 2])


@pytest.mark.may_skip
@pytest.mark.parametrize("kind", ["Series", "Index", "array"])
@pytest.mark.parametrize("dtype", ["float32", "Float32", "int64", "Int64", "boolean"])
def test_columns_are_read(pandas, kind, dtype):
    column = getattr(pandas, kind)([1, 0, 0], dtype=dtype)
    assert first(column) == 1
    assert first(column[1:]) == 0


@pytest.mark.may_skip
def test_a_column_is_not_written(pandas):
    x, y = rows()[0], pandas.Series(rows()[0])
    message = "is written to, but Series objects are only read; make it an array first: "
    with pytest.raises(ValueError, match=exactly(f"y {message}y = numpy.array(y)")):
        axpy(2, x, y)
    with pytest.raises(ValueError, match=exactly(f"out {message}out = numpy.array(out)")):
        dot(x, x, out=y)
    with pytest.raises(ValueError, match=exactly(f"y {message}y = numpy.array(y)")):
        axpy(2, x, pandas.Series([1, None], dtype="Float32"))
    np.testing.assert_array_equal(y, rows()[0])


@pytest.mark.may_skip
def test_a_data_array_is_not_written_but_its_array_is():
    xarray = pytest.importorskip("xarray")
    y = xarray.DataArray(np.ones(2))
    with pytest.raises(ValueError, match="y is written to, but DataArray objects are only read"):
        axpy(2, np.ones(2), y)
    axpy(2, np.ones(2), np.asarray(y))
    assert y.values.tolist() == [3, 3]


@pytest.mark.may_skip
@pytest.mark.parametrize("dtype", ["Float32", "Int64", "boolean"])
def test_missing_values_are_refused(pandas, dtype):
    column = pandas.Series([1, None, 0], dtype=dtype)
    message = exactly(
        "x has missing values; pass what .to_numpy(dtype=..., na_value=...) of it returns"
    )
    with pytest.raises(ValueError, match=message):
        axpy(2, column, np.ones(3))
    filled = column.to_numpy(dtype="f8", na_value=5)
    assert dot(filled, np.ones(3)) == 6


@pytest.mark.may_skip
def test_text_is_refused(pandas):
    with pytest.raises(TypeError, match="x: arrays of dtype object are not supported"):
        dot(pandas.Series(["a", "b"]), np.ones(2))


@pytest.mark.may_skip
def test_what_is_calculated_first_is_refused():
    xarray, array = pytest.importorskip("xarray"), pytest.importorskip("dask.array")
    x = xarray.DataArray(array.ones(3))
    with pytest.raises(TypeError, match=r"x must be an array, not DataArray; pass numpy\.asarray"):
        dot(x, np.ones(3))
    assert dot(x.compute(), np.ones(3)) == 3
