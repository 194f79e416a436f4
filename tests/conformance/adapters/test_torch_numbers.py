"""PyTorch: tensors in the place of numbers, which have no gradient, and what is no tensor in the place of one."""

import numpy as np
import package
import pytest
import torch
from package import axpy
from tensors import everywhere, operators, same
from torch.func import grad, vmap

NO_GRADIENT = r"a is a number, which has no gradient: pass a\.detach\(\), or declare it as an array"


@pytest.fixture(params=["operator", "direct call"])
def cube(request):
    return operators.cube if request.param == "operator" else package.cube


@pytest.fixture
def x():
    return torch.arange(1.0, 5.0)


def test_a_gradient_of_a_number_is_an_error(cube, x):
    """PyTorch's dispatcher would drop it, with a warning."""
    a = torch.nn.Parameter(torch.tensor(2.0))
    with pytest.raises(TypeError, match=NO_GRADIENT):
        cube(x, a=a)
    with pytest.raises(TypeError, match=NO_GRADIENT):
        grad(lambda a: (cube(x, a=a) * a).sum())(torch.tensor(2.0))
    with pytest.raises(TypeError, match=NO_GRADIENT):
        vmap(grad(lambda a: cube(x, a=a).sum()))(torch.ones(2))
    with torch.no_grad():
        same(cube(x, a=a), 2 * x**3)
    same(cube(x, a=a.detach()), 2 * x**3)


@pytest.mark.parametrize("function", [operators.axpy, axpy])
def test_so_is_one_where_an_argument_is_written(function, x):
    y = torch.zeros(4)
    with pytest.raises(TypeError, match=NO_GRADIENT):
        function(torch.tensor(2.0, requires_grad=True), x, y)
    assert y.eq(0).all()


def test_so_is_one_in_a_compiled_program(x):
    compiled = torch.compile(lambda a: operators.cube(x, a=a), backend="eager")
    with pytest.raises(TypeError, match=NO_GRADIENT):
        compiled(torch.tensor(2.0, requires_grad=True))


@everywhere
def test_vmap_over_a_number_calls_for_each(x, device):
    x, a = x.to(device), torch.tensor([1.0, 2.0], device=device)
    same(vmap(lambda a: operators.cube(x, a=a))(a), torch.stack([x**3, 2 * x**3]))
    rows = torch.stack([x, x + 1])
    expected = torch.stack([rows[0] ** 3, 2 * rows[1] ** 3])
    same(vmap(lambda x, a: operators.cube(x, a=a))(rows, a), expected)
    both = vmap(lambda x: vmap(lambda a: operators.cube(x, a=a))(a))(rows)
    same(both, torch.stack([rows**3, 2 * rows**3], 1))


def test_vmap_over_a_number_has_the_gradient_of_the_array(x):
    a = torch.tensor([1.0, 2.0])
    slopes = vmap(lambda a: grad(lambda x: operators.cube(x, a=a).sum())(x))(a)
    same(slopes, torch.stack([3 * x**2, 6 * x**2]))
    x.requires_grad_()
    vmap(lambda a: operators.cube(x, a=a))(a).sum().backward()
    same(x.grad, 9 * x.detach() ** 2)


@pytest.mark.filterwarnings("ignore")  # of a graph that breaks
def test_a_compiled_program_takes_a_tensor(x):
    compiled = torch.compile(lambda x, a: operators.cube(x, a=a), backend="eager")
    same(compiled(x, torch.tensor(2.0)), 2 * x**3)


@pytest.mark.parametrize(
    ("args", "kwargs", "message"),
    [
        ((None,), {}, "x must be a tensor, not NoneType"),
        (([[1.0] * 200] * 200,), {}, r"x must be a tensor, not list; pass torch\.as_tensor\(x\)"),
        ((np.ones(3, "f4"),), {}, r"x must be a tensor, not ndarray; pass torch\.as_tensor\(x\)"),
        ((torch.ones(3),), {"a": "2"}, "a must be a number, not str"),
        (
            (torch.ones(3),),
            {"a": torch.ones(1)},
            r"a must be a number, not a tensor of shape \(1,\)",
        ),
        ((), {}, r"cube\(\) missing a required argument: 'x'"),
        ((torch.ones(3),), {"b": 2}, r"cube\(\) got an unexpected keyword argument 'b'"),
    ],
    ids=["None", "a list", "NumPy", "a text", "an array", "nothing", "another name"],
)
def test_other_kinds_are_errors_of_a_line(args, kwargs, message):
    """PyTorch's own show all elements of a list."""
    with pytest.raises(TypeError, match=f"^{message}$"):
        operators.cube(*args, **kwargs)


def test_a_derivative_of_no_function_is_an_error():
    with pytest.raises(RuntimeError, match=r"^no operator `cubes`: there are "):
        operators.register_autograd("cubes", lambda _, gradient: gradient)
