"""A function without code for the CPU."""

import numpy as np
import package
import pytest
from package import cuvec

pytestmark = pytest.mark.function("weigh")


@pytest.mark.gpu
def test_it_runs_on_a_gpu():
    x = cuvec.ones(1000)
    package.module.weigh(x)
    np.testing.assert_array_equal(x, np.full(1000, 6, "f4"))


def test_without_a_gpu_it_is_an_error(run_python):
    message = "weigh(): it has no code for the CPU, and needs a GPU"
    code = f"""
    from package import cuvec, module
    x = cuvec.ones(3)
    try:
        module.weigh(x)
    except RuntimeError as error:
        assert str(error) == {message!r}, error
    print(x.tolist())
    """
    assert run_python(code, CUVEC_DEVICE="cpu") == "[1.0, 1.0, 1.0]"
