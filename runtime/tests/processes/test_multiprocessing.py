"""Arrays and functions in other processes."""

import copy
import multiprocessing

import numpy as np
import pytest
from machine import needs_pools
from package import cuvec, dot

START_METHODS = set(multiprocessing.get_all_start_methods())


@needs_pools
@pytest.mark.parametrize("method", sorted(START_METHODS - {"fork"}))
def test_a_pool_sends_arrays_and_calls_functions(method):
    x = cuvec.asarray(np.arange(1000.0), memory="pinned")
    with multiprocessing.get_context(method).Pool(1) as pool:
        assert pool.apply(dot, (x, x)) == dot(x, x)
        y = pool.apply(copy.copy, (x,))
    assert (type(y), y.memory) == (cuvec.CuVec, "pinned")
    np.testing.assert_array_equal(x, y)


if "fork" in START_METHODS:

    def test_a_forked_process_works_without_a_gpu(run_python):
        code = """
        import os
        from package import axpy, cuvec, dot
        x = cuvec.ones(1 << 20)
        assert dot(x, x) == 1 << 20
        child = os.fork()
        y = cuvec.ones(1 << 20)
        axpy(2, x, y)
        assert dot(x, y) == 3 << 20
        if child:
            assert os.waitpid(child, 0)[1] == 0
            print("done")
        """
        environment = {"CUVEC_DEVICE": "cpu", "PYTHONWARNINGS": "ignore::DeprecationWarning"}
        assert run_python(code, **environment) == "done"

    @pytest.mark.gpu
    def test_a_process_forked_after_using_the_gpu_gets_an_error_with_a_hint(run_python):
        code = """
        import os
        from package import axpy, cuvec
        x, y = cuvec.ones(3), cuvec.ones(3)
        axpy(2, x, y)
        child = os.fork()
        if child:
            assert os.waitpid(child, 0)[1] == 0
            axpy(2, x, y)
            print(y[0])
        else:
            try:
                cuvec.ones(3)
            except RuntimeError as error:
                os._exit(0 if "spawn" in str(error) else 1)
            os._exit(2)
        """
        assert run_python(code, PYTHONWARNINGS="ignore::DeprecationWarning") == "5.0"
