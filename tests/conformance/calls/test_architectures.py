"""Functions that are compiled for some GPUs alone."""

import ctypes

import native
import numpy as np
import package
import pytest
from package import cuvec


@pytest.fixture
def hopper():
    """Skip on a GPU of another kind, which has no code of these functions; the CPU has."""
    device, found = cuvec.device(), []
    for attribute in (75, 76) if device.kind == "cuda" else ():
        value = ctypes.c_int()
        native.driver("cuDeviceGetAttribute", ctypes.byref(value), attribute, device.index)
        found.append(value.value)
    if found not in ([], [9, 0]):
        pytest.skip("needs a GPU of compute capability 9.0, such as an H100")


@pytest.mark.usefixtures("hopper")
@pytest.mark.function("tile_product")
@pytest.mark.parametrize("rows", [1, 64, 200])
def test_a_kernel_for_one_architecture(rows):
    """By wgmma, on a GPU of Hopper's."""
    random = np.random.default_rng(rows)
    a, b = (random.integers(-8, 8, shape).astype("f2") for shape in [(rows, 16), (16, 8)])
    c = package.module.tile_product(cuvec.asarray(a), cuvec.asarray(b))
    np.testing.assert_array_equal(c, a.astype("f4") @ b.astype("f4"))


@pytest.mark.usefixtures("hopper")
@pytest.mark.function("tile_transpose")
@pytest.mark.parametrize("shape", [(0, 4), (1, 4), (32, 32), (70, 100), (33, 64)])
def test_a_kernel_that_copies_by_tma(shape):
    """By a tensor map, on a GPU of Hopper's; a driver for CUDA 12.0 has what makes one."""
    x = np.random.default_rng(0).random(shape, "f4")
    y = package.module.tile_transpose(cuvec.asarray(x))
    np.testing.assert_array_equal(y, x.T)


@pytest.mark.function("double_on_103a")
@pytest.mark.gpu
def test_other_gpus_are_told_before_anything_is_touched(stream):
    x = cuvec.ones(3, "float32")
    message = (
        r"^double_on_103a\(\): it is compiled for sm_103a, and GPU 0 is sm_\d+; "
        "use another GPU, or set CUVEC_DEVICE=cpu$"
    )
    for given in ({}, {"stream": stream}):
        with pytest.raises(RuntimeError, match=message):
            package.module.double_on_103a(x, **given)
    assert x.tolist() == [1, 1, 1]


@pytest.mark.function("double_on_103a")
def test_the_cpu_path_is_for_every_machine(run_python):
    code = """
    from package import cuvec, module
    x = cuvec.ones(3)
    module.double_on_103a(x)
    print(x.tolist())
    """
    assert run_python(code, CUVEC_DEVICE="cpu") == "[2.0, 2.0, 2.0]"
