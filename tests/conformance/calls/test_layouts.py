"""Arrays that are only read may have any strides: most functions get copies in the order of C."""

import numpy as np
import pytest
from exporters import CudaArrayInterface, Dlpack
from package import axpy, cuvec, dot, gemv, smooth

LAYOUTS = {
    "every second": lambda x: x[:, ::2],
    "backwards": lambda x: x[::-1, ::-1],
    "transposed": lambda x: x.T,
    "in Fortran's order": np.asfortranarray,
    "a column": lambda x: x[:, 3:4],
    "a row, repeated": lambda x: np.broadcast_to(x[:1], (5, 8), subok=True),
    "an element, repeated": lambda x: np.broadcast_to(x[2, 3], (5, 8), subok=True),
    "more dimensions": lambda x: x.reshape(3, 2, 4, 2).transpose(3, 1, 0, 2)[..., ::-1],
    "one after the other": lambda x: x[1:3],
}


def matrix(dtype="f4"):
    return np.arange(48, dtype=dtype).reshape(6, 8)


@pytest.mark.parametrize("dtype", ["f4", "f8"])
@pytest.mark.parametrize("layout", LAYOUTS)
def test_layouts(layout, dtype):
    for x in (matrix(dtype), cuvec.asarray(matrix(dtype))):
        view = LAYOUTS[layout](x)
        copy = np.ascontiguousarray(view)
        before = copy.copy()
        assert dot(view, copy) == dot(copy, view) == dot(copy, before)
        y = cuvec.ones(view.shape, dtype)
        axpy(2, view, y)
        np.testing.assert_array_equal(y, 1 + 2 * before)
        np.testing.assert_array_equal(view, before)


def test_large_arrays():
    x = cuvec.asarray(np.arange(1 << 20, dtype="f4").reshape(1 << 10, -1))
    y = cuvec.zeros(x.shape)
    axpy(1, x.T, y)
    np.testing.assert_array_equal(y, x.T)


def test_strided_matrices():
    a, x = cuvec.asarray(matrix()), cuvec.asarray(np.arange(12, dtype="f4"))
    np.testing.assert_array_equal(gemv(a.T, x[::2], beta=0), a.T @ x[::2])


def test_strided_arrays_of_the_buffer_protocol():
    x = memoryview(np.arange(12.0))[::2]
    assert dot(x, np.ones(6)) == 30


def test_strided_arrays_of_dlpack():
    x = matrix()[::2, ::-3]
    assert dot(Dlpack(x), np.ones(x.shape, "f4")) == x.sum()


def test_unaligned_arrays_of_the_host():
    memory = np.zeros(25, "u1")
    x = memory[1:].view("f4")
    x[:] = np.arange(6)
    assert dot(x, cuvec.ones(6)) == 15
    record = np.zeros(5, [("flag", "u1"), ("value", "f8")])
    record["value"] = np.arange(5)
    assert dot(record["value"], cuvec.ones(5, "f8")) == 10


class View(CudaArrayInterface):
    """The transpose of an array, in memory that is a GPU's for all that it says."""

    @property
    def __cuda_array_interface__(self):
        shape = self.array.shape
        strides = self.array.strides[::-1]
        return super().__cuda_array_interface__ | {"shape": shape[::-1], "strides": strides}


@pytest.mark.gpu
def test_strided_arrays_of_a_gpu():
    x = cuvec.asarray(matrix())
    assert dot(View(x), np.ascontiguousarray(matrix().T)) == (matrix() ** 2).sum()
    axpy(1, cuvec.ones((8, 6)), View(x))
    np.testing.assert_array_equal(x, matrix() + 1)


@pytest.mark.gpu
def test_a_call_on_a_stream_with_a_strided_array():
    x, y = cuvec.asarray(matrix()), cuvec.zeros((8, 6))
    axpy(1, x.T, y, stream=1)
    cuvec.dev_sync()
    np.testing.assert_array_equal(y, matrix().T)


@pytest.mark.parametrize("layout", ["every second", "backwards", "transposed"])
def test_what_is_written_must_be_contiguous(layout):
    """Unless the function is element-wise: `test_element_wise_strides.py`."""
    y = LAYOUTS[layout](cuvec.asarray(matrix()))
    before = y.copy()
    with pytest.raises(ValueError, match=r"^out is not C-contiguous; pass an array that is"):
        smooth(cuvec.ones(y.shape), out=y)
    np.testing.assert_array_equal(y, before)


def test_dimensions_that_cannot_be_merged():
    x = np.zeros((4,) * 10, "f4").transpose(9, 8, 7, 6, 5, 4, 3, 2, 1, 0)
    with pytest.raises(ValueError, match=r"^x has more than 8 dimensions with strides"):
        dot(x, cuvec.zeros(x.shape))
