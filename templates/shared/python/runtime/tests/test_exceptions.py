"""C++ exceptions become those of Python, and those of Python pass through C++ as they are."""

import numpy as np
import pytest
from package import axpy, core, cuvec, dot, fill


@pytest.fixture(autouse=True)
def everything_works_afterwards():
    yield
    assert dot(cuvec.ones(3), cuvec.ones(3)) == 3


def read_only(shape):
    x = np.ones(shape, "float32")
    x.flags.writeable = False
    return x


RAISED = {
    "TypeError": (TypeError, lambda: axpy(1, np.ones(3, "int32"), np.ones(3, "int32"))),
    "ValueError": (ValueError, lambda: axpy(1, np.ones(3, "float32"), read_only(3))),
    "OverflowError": (OverflowError, lambda: fill(np.ones(3, "int8"), 1000)),
    "MemoryError": (MemoryError, lambda: core.Buffer((1 << 60,), "<f4", "managed", False)),
}


@pytest.mark.parametrize(("error", "call"), RAISED.values(), ids=RAISED)
def test_exceptions_of_the_host_keep_their_kind(error, call):
    with pytest.raises(error) as caught:
        call()
    assert caught.type is error


def test_errors_of_cuda_are_runtime_errors(run_python):
    code = """
    from package import core
    try:
        core.device()
    except RuntimeError as error:
        print(type(error).__name__, error)
    """
    printed = run_python(code, CUVEC_DEVICE="cuda", CUDA_VISIBLE_DEVICES="")
    assert printed.startswith("RuntimeError CUVEC_DEVICE is cuda, but")


class Broken:
    """An array of a library that raises while it is asked for it."""

    def __init__(self, error):
        self.error = error

    def __dlpack_device__(self):
        raise self.error

    def __dlpack__(self, **options):
        raise NotImplementedError


@pytest.mark.parametrize("error", [KeyError("on purpose"), KeyboardInterrupt(), TypeError("x")])
@pytest.mark.parametrize("position", [0, 1])
def test_exceptions_of_python_pass_as_they_are(error, position):
    arguments = [np.ones(3), np.ones(3)]
    arguments[position] = Broken(error)
    with pytest.raises(type(error)) as caught:
        dot(*arguments)
    assert caught.value is error
    assert "__dlpack_device__" in [entry.name for entry in caught.traceback]
