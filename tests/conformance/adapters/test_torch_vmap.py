"""PyTorch: what a call in `torch.vmap` does besides the call itself, and its gradients."""

import importlib
from pathlib import Path

import pytest
import torch
from package import NAME
from tensors import called_in, everywhere, operators, ops, same
from torch.func import grad, jacrev, jvp, vmap

IN_DIMS = {"cube": 0, "rms_norm": (0, None)}


def inputs(name, device, **options):
    shapes = [(4, 8), (8,)][: 1 if IN_DIMS[name] == 0 else 2]
    generator = torch.Generator().manual_seed(3)
    return [
        torch.randn(shape, generator=generator).to(device).requires_grad_(**options)
        for shape in shapes
    ]


@pytest.fixture
def calls(monkeypatch):
    """The calls of functions: the name, the arguments, and the tensors for results."""
    made = []
    kernel = importlib.import_module(f"{NAME}.cuvec.torch.kernel").Kernel
    call = kernel._call

    def noted(self, args, kwargs, out, stream):
        made.append((self.declaration.name, args, out))
        return call(self, args, kwargs, out, stream)

    monkeypatch.setattr(kernel, "_call", noted)
    return made


@everywhere
@pytest.mark.parametrize("name", IN_DIMS)
def test_it_runs_no_more_of_pytorch_than_a_native_operator(name, device):
    """PyTorch's code for functions of any kind takes many times as long as a launch."""
    arrays = inputs(name, device, requires_grad=False)
    ours, native = (
        torch.vmap(function, IN_DIMS[name])
        for function in (getattr(operators, name), lambda *arrays: torch.sin(arrays[0]))
    )
    same(ours(*arrays), getattr(operators, name)(*arrays))  # the first calls import modules
    native(*arrays)
    more = called_in(lambda: ours(*arrays)) - called_in(lambda: native(*arrays))
    folder = Path(torch.__file__).parent
    assert {it.co_name for it in more if folder in Path(it.co_filename).parents} <= {
        "is_dynamo_compiling"
    }


@everywhere
@pytest.mark.parametrize("name", IN_DIMS)
def test_the_function_works_on_the_batch_itself(name, device, calls):
    arrays = inputs(name, device, requires_grad=False)
    found = torch.vmap(getattr(operators, name), IN_DIMS[name])(*arrays)
    [(_, args, out)] = calls
    assert [it.data_ptr() for it in args] == [it.data_ptr() for it in arrays]
    assert out[0].data_ptr() == found.data_ptr()


@everywhere
@pytest.mark.parametrize("name", IN_DIMS)
def test_gradients_of_a_batch_are_one_call(name, device, calls):
    function = getattr(operators, name)
    arrays = inputs(name, device)
    expected = torch.autograd.grad((function(*arrays) ** 2).sum(), arrays)
    calls.clear()
    found = torch.autograd.grad((vmap(function, IN_DIMS[name])(*arrays) ** 2).sum(), arrays)
    assert [name for name, *_ in calls] == [name, f"{name}_bwd"]
    torch.testing.assert_close(found, expected)


def total(function):
    return lambda *arrays: (function(*arrays) ** 2).sum()


def nested(function):
    return vmap(vmap(function, (0, None)), (0, None))


TRANSFORMS = {
    "grad of vmap": (lambda f: grad(total(vmap(f, (0, None))), (0, 1)), 2),
    "vmap of grad": (lambda f: vmap(grad(total(f), (0, 1)), (0, None)), 2),
    "grad of a nested vmap": (lambda f: grad(total(nested(f)), (0, 1)), 3),
    "vmap of grad of vmap": (lambda f: vmap(grad(total(vmap(f, (0, None))), (0, 1)), (0, None)), 3),
    "along another dimension": (lambda f: grad(total(vmap(f, (1, None), 1)), (0, 1)), 3),
    "jacrev of vmap": (lambda f: jacrev(vmap(f, (0, None)), (0, 1)), 2),
    "weights of a batch": (lambda f: grad(total(vmap(lambda w, x: f(x, w), (0, None))), (0, 1)), 0),
    "by name": (lambda f: grad(total(vmap(lambda x, w: f(x, weight=w), (0, None)))), 2),
}


@everywhere
@pytest.mark.parametrize(("transform", "dimensions"), TRANSFORMS.values(), ids=TRANSFORMS)
def test_gradients_through_other_transforms(transform, dimensions, device):
    def rms_norm(x, weight):
        return x * torch.rsqrt((x * x).mean(-1, keepdim=True) + 1e-6) * weight

    x = torch.rand((2, 3, 5)[3 - dimensions :], device=device)
    arrays = x, torch.rand(5, device=device)
    if dimensions == 0:  # three weights for one sample
        arrays = torch.rand(3, 5, device=device), torch.rand(5, device=device)
    found = transform(operators.rms_norm)(*arrays)
    torch.testing.assert_close(found, transform(rms_norm)(*arrays), rtol=1e-4, atol=1e-5)


@everywhere
def test_second_derivatives_of_a_batch(device):
    x = torch.rand(4, 3, device=device)
    second = vmap(jacrev(jacrev(lambda it: operators.cube(it).sum())))
    same(second(x), torch.diag_embed(6 * x))
    x.requires_grad_()
    [first] = torch.autograd.grad(vmap(operators.cube)(x).sum(), x, create_graph=True)
    same(torch.autograd.grad(first.sum(), x)[0], 6 * x.detach())


@everywhere
def test_gradients_of_functions_on_whole_arrays(device, calls):
    """Each element of a batch is a call of such a function."""
    x = torch.rand(4, 3, device=device)
    found = grad(lambda it: vmap(operators.squares)(it).sum())(x)
    same(found, 2 * x)
    assert [name for name, *_ in calls] == ["squares"] * 4 + ["squares_bwd"] * 4


@everywhere
def test_gradients_where_an_array_is_none(device):
    x, weight = torch.rand(4, 3, device=device), torch.rand(3, device=device)
    found = grad(lambda w: vmap(operators.affine, (0, None))(x, w).sum())(weight)
    same(found, x.sum(0))


@everywhere
@pytest.mark.parametrize("transform", [vmap, lambda f: grad(lambda x: f(x).double().sum())])
def test_defaults_that_pytorch_has_no_notation_for(transform, device):
    x = torch.rand(4, 3, device=device).requires_grad_()
    if transform is vmap:
        same(vmap(operators.astype)(x), x.detach().half())
    else:
        with pytest.raises(RuntimeError, match="astype has no derivative"):
            transform(operators.astype)(x)


@everywhere
@pytest.mark.filterwarnings("ignore")  # from decompositions that PyTorch imports
@pytest.mark.parametrize(
    "transform",
    [
        lambda f, x: jvp(vmap(f), (x,), (x,)),
        lambda f, x: vmap(lambda it: jvp(f, (it,), (it,)))(x),
        lambda f, x: vmap(lambda it: jvp(vmap(f), (it,), (it,)))(x),
    ],
    ids=["of a batch", "in a batch", "both"],
)
def test_forward_mode_is_an_error(transform, device):
    with pytest.raises(RuntimeError, match="cube has no forward-mode derivative: take torch"):
        transform(operators.cube, torch.rand(4, 3, device=device))


@everywhere
def test_operators_of_the_dispatcher_are_batched_too(device, calls):
    x = torch.rand(2, 3, 5, device=device)
    weight = torch.rand(5, device=device)
    found = vmap(vmap(lambda it: ops.rms_norm(it, weight)[0]))(x)
    assert len(calls) == 1
    same(found, operators.rms_norm(x, weight))


@everywhere
def test_a_batch_of_the_outer_vmap_alone(device, calls):
    x, y = torch.rand(2, 3, device=device), torch.rand(4, device=device)
    for cube in (operators.cube, ops.cube):
        calls.clear()
        found = vmap(lambda it, cube=cube: vmap(lambda other: cube(it) * other)(y))(x)
        same(found, (x**3)[:, None, :] * y[:, None])
        assert len(calls) == 1
