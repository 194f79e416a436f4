"""Calls while the interpreter is ending."""

import inspect

import pytest
from package import dot


@pytest.mark.parametrize("where", ["sys", "builtins", "__main__"])
def test_the_first_call_may_be_the_last_thing_of_all(run_python, where):
    """Then nothing can be imported any more, and modules are gone.

    What is converted by functions in Python needs modules: of `ctypes`, NumPy's arrays alone are
    promised.
    """
    code = """
    import os
    import numpy as np
    from package import dot

    IN_PYTHON = hasattr(dot, "__code__")

    class Foreign:
        def __init__(self, array):
            self.array = array
            self.__dlpack__ = array.__dlpack__
            self.__dlpack_device__ = array.__dlpack_device__

    class Last:
        def __init__(self):
            self.write, self.dot = os.write, dot
            array = np.ones(3)
            others = [] if IN_PYTHON else [memoryview(array), Foreign(array)]
            self.arguments = [array, *others]

        def __del__(self):
            for x in self.arguments:
                self.write(1, b"%d " % self.dot(x, x))

    setattr(__import__(os.environ["WHERE"]), "last", Last())
    """
    expected = "3" if inspect.isfunction(dot) else "3 3 3"
    assert run_python(code, CUVEC_DEVICE="cpu", WHERE=where) == expected
