"""CuPy: what declarations say holds for its arrays as for those of NumPy."""

import cupy
import numpy as np
import pytest
from package import activate, affine, gather, module, rms_norm, rms_norm_bwd, rotary

pytestmark = pytest.mark.gpu
X = np.arange(6.0).reshape(2, 3)


@pytest.fixture(autouse=True)
def first_gpu():
    """Use the first of several GPUs; other libraries may leave another one current."""
    with cupy.cuda.Device(0):
        yield


def same(found, expected):
    assert type(found) is cupy.ndarray
    np.testing.assert_allclose(cupy.asnumpy(found), expected, rtol=1e-5)


def test_leading_dimensions():
    x, weight = np.random.default_rng(1).random((2, 3, 5), "f4"), np.ones(5, "f4")
    expected = x / np.sqrt((x * x).mean(-1, keepdims=True) + 1e-6)
    same(rms_norm(cupy.asarray(x), cupy.asarray(weight)), expected)


def test_a_part_of_an_array_is_written_in_place():
    whole, tables = (
        cupy.ones((1, 2, 6, 4), "f4"),
        (cupy.zeros((2, 2), "f4"), cupy.ones((2, 2), "f4")),
    )
    rotary(whole[:, :, 2:4], *tables)
    expected = np.ones((1, 2, 6, 4))
    expected[:, :, 2:4, :2] = -1
    same(whole, expected)


def test_optional_arrays():
    x, weight, bias = cupy.asarray(X), cupy.ones(3), cupy.arange(3.0)
    same(affine(x, weight), X)
    same(affine(x, weight, bias), X + np.arange(3))


@pytest.mark.function("strided_sums")
def test_options_and_tuples():
    same(activate(cupy.asarray(X - 2), "relu", limit=2), np.clip(X - 2, 0, 2))
    same(module.strided_sums(cupy.ones((2, 3)), weights=[1, 2, 4]), [[7, 3, 1], [7, 3, 1]])


@pytest.mark.function("nonzero")
def test_sizes_are_found():
    index = module.nonzero(cupy.asarray([0, 5, 0, 7], "i4"))
    same(cupy.sort(index), [1, 3])


def test_results_have_names():
    x, weight, rstd = cupy.ones((2, 3), "f4"), cupy.ones(3, "f4"), cupy.ones(2, "f4")
    gradients = rms_norm_bwd(x, x, weight, rstd)
    same(gradients.dx, np.zeros((2, 3)))
    same(gradients.dweight, np.ones((2, 3)))


@pytest.mark.function("spmv")
def test_dimensions_are_solved():
    indptr, indices = cupy.asarray([0, 2, 2, 3]), cupy.asarray([0, 2, 1])
    same(
        module.spmv(indptr, indices, cupy.arange(1.0, 4), cupy.asarray([1.0, 10, 100])),
        [201, 0, 30],
    )


def test_errors_of_kernels():
    with pytest.raises(RuntimeError, match=r"out of range|no element 7"):
        gather(cupy.ones(3), cupy.asarray([0, 7]))
