"""CuPy's stream is asked for where its own modules ask: a function for C in a table that Cython makes."""

import pytest
from test_questions import CUPY

FOR_C = """
import ctypes

from exchange import new_capsule


@ctypes.PYFUNCTYPE(ctypes.c_ssize_t)
def get_current_stream_ptr():
    asked.append("stream for C")
    return handle


def offer(signature):
    address = ctypes.cast(get_current_stream_ptr, ctypes.c_void_p).value
    module = types.ModuleType("cupy_backends.cuda.stream")
    module.__pyx_capi__ = {"get_current_stream_ptr": new_capsule(address, signature, None)}
    sys.modules[module.__name__] = module


handle = 0
x, y = ndarray(cuvec.ones(3), asked), cuvec.ones(3)
"""


@pytest.fixture
def run(run_python):
    """Run code that knows `offer(signature)`, CuPy's array `x` and ours, `y`."""

    def run(code):
        assert run_python(CUPY + FOR_C + code.replace("\n    ", "\n")) == ""

    return run


@pytest.mark.parametrize(
    ("signature", "answers"), [("intptr_t (void)", "stream for C"), ("int (void)", "stream")]
)
def test_a_function_of_another_signature_is_not_called(run, signature, answers):
    run(f"""
    signature = {signature.encode()}  # a capsule does not keep a copy
    offer(signature)
    axpy(2, x, y)  # the first one is looked at
    asked.clear()
    axpy(2, x, y)
    assert {{("__dlpack__", -1), {answers!r}}} == set(asked), asked
    """)


def test_what_is_no_handle_is_refused(run):
    run("""
    signature = b"intptr_t (void)"
    offer(signature)
    handle = -1
    try:
        axpy(2, x, y)
    except TypeError as error:
        assert "handle" in str(error), error
    else:
        raise AssertionError
    """)
