"""PyTorch: eager calls that return tensors bypass its dispatcher, unless something has to intercept them."""

import pytest
import torch
from modes import DispatchMode, FunctionMode
from package import NAME
from tensors import everywhere, is_dispatched, ones, operators, ops, same

quiet = pytest.mark.filterwarnings("ignore")  # of the profiler, and deprecations


@everywhere
def test_plain_tensors_bypass_the_dispatcher(device):
    x, weight = ones(2, 3, device=device), ones(3, device=device)
    assert not is_dispatched(lambda: operators.rms_norm(x, weight, eps=1e-6))
    assert not is_dispatched(lambda: operators.rms_norm(x.t().contiguous().t(), weight))
    assert is_dispatched(lambda: ops.rms_norm.default(x, weight, eps=1e-6))


@everywhere
def test_parameters_bypass_it_where_no_gradient_is_wanted(device):
    x, weight = ones(2, 3, device=device), torch.nn.Parameter(ones(3, device=device))
    with torch.no_grad():
        assert not is_dispatched(lambda: operators.rms_norm(x, weight))
        assert not operators.rms_norm(x, weight).requires_grad
    assert is_dispatched(lambda: operators.rms_norm(x, weight))
    assert operators.rms_norm(x, weight).requires_grad


@everywhere
def test_absent_arrays_bypass_it(device):
    x, weight = 2 * ones(2, 3, device=device), ones(3, device=device)
    assert not is_dispatched(lambda: operators.affine(x, weight))
    assert not is_dispatched(lambda: operators.affine(x, weight, None))
    same(operators.affine(x, weight), x)
    assert is_dispatched(lambda: operators.mixture(4, None, None, device=device))


class Subclass(torch.Tensor):
    pass


def by_name(x):
    return operators.cube(x=x)


def of_another_class(x):
    return operators.cube(x.as_subclass(Subclass)).as_subclass(torch.Tensor)


def lazily_negated(x):
    lazy = torch.complex(x, x).conj().imag
    assert lazy.is_neg()
    return -operators.cube(lazy)


def while_it_is_profiled(x):
    with torch.profiler.profile(activities=[torch.profiler.ProfilerActivity.CPU]) as profile:
        found = operators.cube(x)
    assert f"{NAME}::cube" in {event.key for event in profile.key_averages()}
    return found


def in_a_mode_of_functions(x):
    with FunctionMode() as mode:
        found = operators.cube(x)
    assert ops.cube.default in mode.seen
    return found


def in_a_mode_of_operators(x):
    with DispatchMode() as mode:
        found = operators.cube(x)
    assert ops.cube.default in mode.seen
    return found


def in_inference_mode(x):
    with torch.inference_mode():
        return operators.cube(x.clone())


@quiet
@everywhere
@pytest.mark.parametrize(
    "call",
    [
        by_name,
        of_another_class,
        lazily_negated,
        while_it_is_profiled,
        in_a_mode_of_functions,
        in_a_mode_of_operators,
        in_inference_mode,
    ],
)
def test_calls_that_need_the_dispatcher(call, device):
    x = 2 * ones(3, device=device)
    found = []
    assert is_dispatched(lambda: found.append(call(x)))
    same(found[0], 8 * ones(3))


@everywhere
@pytest.mark.parametrize(
    ("call", "error", "message"),
    [
        (lambda x: operators.rms_norm(x.int(), x), TypeError, "x has dtype int32"),
        (lambda x: operators.rms_norm(x, x.bfloat16()), TypeError, "must have the same dtype"),
        (lambda x: operators.rms_norm(x, x[:2]), ValueError, "weight has shape"),
        (lambda x: operators.cube(x.to_sparse()), NotImplementedError, "cube"),
        (operators.rms_norm, TypeError, "missing a required argument: 'weight'"),
        (lambda x: operators.rms_norm(x, x, x), TypeError, "too many positional arguments"),
    ],
)
def test_errors_match_the_operator(call, error, message, device):
    with pytest.raises(error, match=message):
        call(ones(3, device=device))
