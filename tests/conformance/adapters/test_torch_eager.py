"""PyTorch: calls in eager programs bypass its dispatcher, unless something has to intercept them."""

from contextlib import suppress

import pytest
import torch
from modes import DispatchMode, FunctionMode
from package import NAME
from tensors import is_dispatched, ones, operators, ops, same
from torch.autograd import forward_ad

pytestmark = pytest.mark.gpu
quiet = pytest.mark.filterwarnings("ignore")  # of the profiler, and deprecations


def x_and_y(dtype=torch.float32):
    return [ones(3, device="cuda", dtype=dtype) for _ in range(2)]


def test_tensors_bypass_the_dispatcher():
    x, y = x_and_y()
    assert not is_dispatched(lambda: operators.axpy(2, x, y))
    assert is_dispatched(lambda: ops.axpy.default(2, x, y))
    same(y, 5 * ones(3))
    assert y._version == 2


def test_keyword_arguments_bypass_it():
    x, y = x_and_y()
    assert not is_dispatched(lambda: operators.axpy(y=y, a=2, x=x))
    same(y, 3 * ones(3))
    integers = ones(3, device="cuda", dtype=torch.int32)
    assert not is_dispatched(lambda: operators.fail(0, integers, threads=False))


def test_the_missing_argument_is_named():
    x, _ = x_and_y()
    with pytest.raises(TypeError, match=r"axpy\(\) missing .* argument: 'y'"):
        operators.axpy(2, x)


def on_the_cpu(x, y):
    operators.axpy(2, x.cpu(), y.cpu())


def with_a_gradient(x, y):
    with torch.no_grad():
        operators.axpy(2, x.requires_grad_(), y)


def of_another_class(x, y):
    operators.axpy(2, torch.nn.Parameter(x, requires_grad=False), y)


def while_it_is_profiled(x, y):
    with torch.profiler.profile(activities=[torch.profiler.ProfilerActivity.CPU]) as profile:
        operators.axpy(2, x, y)
    assert f"{NAME}::axpy" in {event.key for event in profile.key_averages()}


def in_a_mode_of_functions(x, y):
    with FunctionMode():
        operators.axpy(2, x, y)


def in_a_mode_of_operators(x, y):
    with DispatchMode() as mode:
        operators.axpy(2, x, y)
    assert mode.seen == [ops.axpy.default]


@quiet
def test_strided_tensors_need_no_dispatcher():
    x, y = x_and_y()
    assert not is_dispatched(lambda: operators.axpy(2, torch.stack([x, x], 1)[:, 0], y))
    same(y, 3 * ones(3))


@quiet
@pytest.mark.parametrize(
    "call",
    [
        on_the_cpu,
        with_a_gradient,
        of_another_class,
        while_it_is_profiled,
        in_a_mode_of_functions,
        in_a_mode_of_operators,
    ],
)
def test_calls_that_need_the_dispatcher(call):
    x, y = x_and_y()
    assert is_dispatched(lambda: call(x, y))
    same(y, ones(3) if call is on_the_cpu else 3 * ones(3))


@quiet
def test_forward_derivatives_need_the_dispatcher():
    x, y = x_and_y()
    with forward_ad.dual_level():
        dual = forward_ad.make_dual(x, x)

        def call():
            with suppress(NotImplementedError, RuntimeError):  # there is no derivative
                operators.axpy(2, dual, y)

        assert is_dispatched(call)


@quiet
def test_traced_programs_contain_the_operator():
    def program(x, y):
        operators.axpy(2, x, y)
        return y * 2

    traced = torch.jit.trace(program, tuple(x_and_y()), check_trace=False)
    assert f"{NAME}::axpy" in str(traced.graph)


def test_lazy_negatives_are_resolved():
    x = torch.full((1,), 3 - 2j, device="cuda").conj().imag
    assert x.is_neg()
    y = ones(1, device="cuda")
    operators.axpy(2, x, y)
    same(y, torch.tensor([5.0]))
