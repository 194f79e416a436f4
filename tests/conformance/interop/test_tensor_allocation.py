"""Results that the library of the arguments allocates: through DLPack's C exchange API, as PyTorch's."""

import pytest
from exchange import FAKE_TORCH

FAKE_TORCH = FAKE_TORCH.replace(
    "\n\n\naxpy",
    """


import ctypes, sys, types
import capsules
from exchange import ALLOCATE, TO_OBJECT
from package import gemv

sys.modules["torch"] = types.SimpleNamespace(Tensor=Tensor)
HOW, made = sys.argv[1], []


@ALLOCATE
def allocate(prototype, result, error, set_error):
    like = prototype[0]
    assert (like.device.type, like.dtype.code, like.dtype.bits, like.dtype.lanes) == (1, 2, 64, 1)
    if HOW == "succeeds":
        made.append(tensor(OnHost(cuvec.zeros(like.shape, "f8"))))
        result[0] = capsules.consume(made[-1].array.__dlpack__(max_version=(1, 1)))[1]
    elif HOW != "says nothing":
        set_error(error, HOW.encode(), b"no room")
    return -(HOW not in ("succeeds", "says nothing"))


@TO_OBJECT
def to_object(managed, result):
    ctypes.pythonapi.Py_IncRef(ctypes.py_object(made[-1]))
    result[0] = id(made[-1])
    return 0


if HOW != "has no allocator":
    table.managed_tensor_allocator = ctypes.cast(allocate, ctypes.c_void_p)
    table.managed_tensor_to_py_object_no_sync = ctypes.cast(to_object, ctypes.c_void_p)
axpy""",
    1,
)
CODE = """
x = tensor(OnHost(cuvec.ones((2, 3), "f8")))
try:
    result = gemv(x, cuvec.full(3, 2, "f8"))
    print(result is made[-1], result.array.array.tolist())
except Exception as error:
    print(f"{type(error).__name__}: {error}")
"""


@pytest.mark.parametrize(
    ("how", "expected"),
    [
        ("succeeds", "True [5.5, 5.5]"),
        ("MemoryError", "MemoryError: no room"),
        ("ValueError", "RuntimeError: no room"),
        ("says nothing", "RuntimeError: the library of the arguments made no tensor"),
        (
            "has no allocator",
            "BufferError: the library of the arguments makes no tensors; pass out=",
        ),
    ],
)
def test_results_are_what_the_library_makes(how, expected, run_python):
    code = f"import sys\nsys.argv[1:] = [{how!r}]\n{FAKE_TORCH}{CODE}"
    assert run_python(code, CUVEC_DEVICE="cpu") == expected
