"""CuPy's current stream is read as its own modules read it: by a C function that Cython exports."""

import pytest
from fake_cupy import FAKE_CUPY

C_API = """
import ctypes

from exchange import new_capsule


@ctypes.PYFUNCTYPE(ctypes.c_ssize_t)
def get_current_stream_ptr():
    log.append("C stream")
    return handle


def export_to_c(signature):
    address = ctypes.cast(get_current_stream_ptr, ctypes.c_void_p).value
    module = types.ModuleType("cupy_backends.cuda.stream")
    module.__pyx_capi__ = {"get_current_stream_ptr": new_capsule(address, signature, None)}
    sys.modules[module.__name__] = module


handle = 0
x, y = ndarray(cuvec.ones(3), log), cuvec.ones(3)
"""


@pytest.fixture
def run(run_python):
    """Run code with `export_to_c(signature)`, an array `x` of CuPy's and `y` of the package's."""

    def run(code):
        assert run_python(FAKE_CUPY + C_API + code.replace("\n    ", "\n")) == ""

    return run


@pytest.mark.parametrize(
    ("signature", "used"), [("intptr_t (void)", "C stream"), ("int (void)", "stream")]
)
def test_a_function_of_another_signature_is_not_called(run, signature, used):
    run(f"""
    signature = {signature.encode()}  # a capsule does not copy its name
    export_to_c(signature)
    axpy(2, x, y)  # the class is inspected at its first use
    log.clear()
    axpy(2, x, y)
    assert {{("__dlpack__", -1), {used!r}}} == set(log), log
    """)


def test_an_invalid_handle_is_refused(run):
    run("""
    signature = b"intptr_t (void)"
    export_to_c(signature)
    handle = -1
    try:
        axpy(2, x, y)
    except TypeError as error:
        assert "handle" in str(error), error
    else:
        raise AssertionError
    """)
