"""The package's PyTorch operators, and the devices to test them on."""

import importlib
import sys

import pytest
import torch
from package import NAME, cuvec

operators = importlib.import_module(f"{NAME}.torch")
ops = getattr(torch.ops, NAME)

ON_GPU = cuvec.device().kind == "cuda"
GPUS = [f"cuda:{index}" for index in range(torch.cuda.device_count())] if ON_GPU else []
everywhere = pytest.mark.parametrize("device", ["cpu", *GPUS])  # with a GPU, on the CPU too


def ones(*shape, device="cpu", dtype=torch.float32):
    return torch.ones(*shape, device=device, dtype=dtype)


def maker(device):
    """Return `ones` for a device."""

    def make(*shape, dtype=torch.float32):
        return ones(*shape, device=device, dtype=dtype)

    return make


def same(found, expected):
    torch.testing.assert_close(found, torch.as_tensor(expected, device=found.device))


def called_in(call):
    """Return the code of the functions in Python that a call runs."""
    seen = set()
    sys.setprofile(lambda frame, *_: seen.add(frame.f_code))
    try:
        call()
    finally:
        sys.setprofile(None)
    return seen


def is_dispatched(call):
    """Return whether a call goes through an operator, where PyTorch can intercept it."""
    return torch._ops.OpOverload.__call__.__code__ in called_in(call)


# calls that fail; the argument makes tensors of ones
ERRORS = {
    "dtype": (TypeError, lambda it: operators.axpy(1, it(3), it(3, dtype=torch.int32))),
    "other dtype": (TypeError, lambda it: operators.gemv(it(2, 3), it(3, dtype=torch.float64))),
    "shape": (ValueError, lambda it: operators.axpy(1, it(3), it(4))),
    "size": (ValueError, lambda it: operators.gemv(it(2, 3), it(2))),
    "dimensions": (ValueError, lambda it: operators.gemv(it(3), it(3))),
    "fixed size": (ValueError, lambda it: operators.rotate(it(3, 3), it(5, 2))),
    "negative size": (ValueError, lambda it: operators.histogram(it(3), -1)),
    "negative size of a result": (
        ValueError,
        lambda it: operators.pieces(it(0, dtype=torch.int32)),
    ),
}
