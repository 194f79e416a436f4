"""PyTorch: the functions as operators."""

import importlib
import inspect
from dataclasses import replace

import native
import package
import pytest
import torch
from errors import exactly
from package import NAME, cuvec
from tensors import ERRORS, everywhere, maker, ones, operators, ops, same

declaration = importlib.import_module(f"{NAME}.cuvec.declaration")
schema_of = importlib.import_module(f"{NAME}.cuvec.torch.operators").schema_of

SCHEMAS = {
    "activate": 'activate(Tensor x, str mode="relu", *, float? limit=None) -> Tensor',
    "affine": "affine(Tensor x, Tensor weight, Tensor? bias=None) -> Tensor",
    "axpy": "axpy(float a, Tensor x, Tensor(a!) y) -> ()",
    "dot": "dot(Tensor x, Tensor y) -> Tensor",
    "fail": "fail(SymInt how, Tensor(a!) y, *, bool threads=False) -> ()",
    "fill": "fill(Tensor(a!) y, Scalar a) -> ()",
    "gemv": "gemv(Tensor a, Tensor x, *, Scalar alpha=1, Scalar beta=-0.5) -> Tensor",
    "histogram": "histogram(Tensor x, SymInt bins=4, *, float low=-0.5, float high=1.5) -> Tensor",
    "iota": "iota(SymInt n, *, SymInt start, SymInt step=-1, Device? device=None) -> Tensor",
    "mixture": "mixture(SymInt n, Tensor? x=None, Tensor? y=None, *, Device? device=None) -> Tensor",
    "pieces": "pieces(Tensor x) -> (Tensor, Tensor, Tensor, Tensor)",
    "ramp": "ramp(*, Device? device=None) -> Tensor",
    "strided_sums": "strided_sums(Tensor x, SymInt[]? stride=None, *, float[]? weights=None) -> Tensor",
    "shift": "shift(Tensor? by, Tensor(a!) y, *, Tensor? scale=None) -> ()",
    "swap": "swap(Tensor(a!) x, Tensor(b!) y) -> ()",
}


def count(n, device, dtype=torch.float32):
    return torch.arange(n, device=device, dtype=dtype)


@pytest.mark.parametrize("name", SCHEMAS)
def test_schemas(name):
    assert str(getattr(ops, name).default._schema) == f"{NAME}::{SCHEMAS[name]}"


def test_every_function_that_makes_an_array_is_an_operator():
    for function in package.functions_that_make_arrays():
        operator = getattr(operators, function.__name__)
        assert operator.__name__ == function.__name__
        assert operator.__module__ == f"{NAME}.torch"
        assert inspect.getdoc(operator).partition("\n")[0] in inspect.getdoc(function)
    assert str(inspect.signature(operators.gemv)) == "(a, x, *, alpha=1, beta=-0.5, out=None)"


def test_other_names_are_errors():
    with pytest.raises(AttributeError, match="no operator `nonsense`: there are activate, "):
        operators.nonsense  # noqa: B018
    with pytest.raises(AttributeError, match=f"could drop it: call {NAME}.require_size"):
        operators.require_size  # noqa: B018
    assert not hasattr(ops, "require_size")


@everywhere
def test_tensors_are_written_in_place(device):
    x, y = count(1000, device), ones(1000, device=device)
    address, version = y.data_ptr(), y._version
    assert operators.axpy(2, x, y) is None
    assert (y.data_ptr(), y._version) == (address, version + 1)
    same(y, 2 * count(1000, device) + 1)
    a, b = x.double(), y.double()
    operators.swap(a, b)
    same(a, y.double())
    same(b, x.double())


@everywhere
def test_results_are_new_tensors(device):
    a, x = torch.rand(5, 3, device=device), torch.rand(3, device=device)
    y = operators.gemv(a, x, alpha=2)
    assert (y.shape, y.dtype, str(y.device)) == ((5,), torch.float32, device)
    same(y, 2 * a @ x - 0.5)
    same(ops.gemv(a, x, beta=1), a @ x + 1)


@everywhere
def test_scalar_results_are_0d_tensors(device):
    x = count(100, device)
    total = operators.dot(x, x)
    assert (total.shape, total.dtype, total.device) == ((), torch.float64, x.device)
    assert total.item() == sum(i * i for i in range(100))
    assert operators.first(x.to(torch.int16)).dtype == torch.int16


@everywhere
def test_several_results_and_computed_shapes(device):
    results = operators.pieces(count(5, device, torch.int32))
    assert [tuple(it.shape) for it in results] == [(4,), (11,), (2,), ()]
    expected = package.pieces(count(5, "cpu", torch.int32).numpy())
    for result, array in zip(results, expected, strict=True):
        same(result.cpu(), torch.as_tensor(array).to(result.dtype))


@everywhere
def test_scalars_give_sizes(device):
    x = torch.rand(100, device=device)
    assert operators.histogram(x).shape == (4,)
    counts = operators.histogram(x, 7, low=0.0, high=1.0)
    assert (counts.shape, counts.sum()) == ((7,), 100)
    assert operators.histogram(x[:50]).shape == (4,)  # as in the first call


@everywhere
def test_operators_without_tensors_take_a_device(device):
    y = operators.iota(4, start=2, step=3, device=device)
    assert (y.tolist(), str(y.device)) == ([2, 5, 8, 11], device)
    assert operators.iota(2, start=0).device.type == "cpu"
    assert operators.ramp(device=device).tolist() == [0, 1, 2, 3, 4]


@everywhere
def test_operators_whose_tensors_are_all_optional(device):
    x = torch.ones(4, device=device, dtype=torch.float64)
    for given in ((), (x,), (None, x), (x, x)):
        y = operators.mixture(4, *given, **({} if given else {"device": device}))
        assert (y.tolist(), str(y.device)) == ([sum(it is not None for it in given)] * 4, device)
        where = {} if given else {"device": torch.device(device)}
        torch.library.opcheck(ops.mixture.default, (4, *given), where)
    assert operators.mixture(2, None, None).device.type == "cpu"
    with pytest.raises(ValueError, match="device is for calls of mixture without tensors"):
        ops.mixture(4, x, device=device)
    over = torch.vmap(lambda x: operators.mixture(4, x))(torch.stack([x, 2 * x]))
    assert over.tolist() == [[1.0] * 4, [2.0] * 4]
    with pytest.raises(RuntimeError, match="mixture has no derivative"):
        operators.mixture(4, x.clone().requires_grad_()).sum().backward()


@everywhere
@pytest.mark.parametrize(
    "dtype",
    [
        torch.bool,
        torch.int8,
        torch.float16,
        torch.complex128,
        torch.bfloat16,
        torch.float8_e4m3fn,
        torch.float8_e5m2,
    ],
)
def test_scalars_of_any_dtype(device, dtype):
    y = torch.zeros(3, device=device, dtype=dtype)
    operators.fill(y, 1)
    assert y.tolist() == [1, 1, 1]


@pytest.fixture
def calls(monkeypatch):
    """The calls of functions."""
    made = []
    kernel = importlib.import_module(f"{NAME}.cuvec.torch.kernel").Kernel
    call = kernel._call
    monkeypatch.setattr(kernel, "_call", lambda *args: (made.append(args), call(*args))[1])
    return made


@everywhere
def test_vmap_is_one_call_where_there_are_leading_dimensions(device, calls):
    x, weight = torch.rand(4, 3, 5, device=device), torch.rand(5, device=device)
    expected = operators.rms_norm(x, weight)
    calls.clear()
    same(torch.vmap(torch.vmap(lambda x: operators.rms_norm(x, weight)))(x), expected)
    same(torch.vmap(operators.rms_norm, (1, None), 1)(x, weight), expected)
    mask = ones(4, device=device) > 0
    chosen = torch.vmap(operators.choose, (0, 0, None))(mask, x[:, 0, 0].half(), x[0, 0, 0].half())
    same(chosen, x[:, 0, 0].half())
    assert len(calls) == 3


@everywhere
def test_vmap_is_one_call_with_a_loop_in_it(device, calls):
    a, x = torch.rand(4, 2, 3, device=device), torch.rand(3, device=device)
    found = torch.vmap(lambda a: operators.gemv(a, x, alpha=2, beta=0))(a)
    same(found, 2 * (a @ x))
    vectors = torch.rand(5, 3, device=device)
    found = torch.vmap(lambda a: torch.vmap(lambda x: operators.gemv(a, x, beta=0))(vectors))(a)
    same(found, torch.einsum("amn,xn->axm", a, vectors))
    weights = torch.rand(4, 3, device=device)
    normed = torch.vmap(operators.rms_norm)(a, weights)
    assert len(calls) == 3
    one_by_one = [operators.rms_norm(*it) for it in zip(a, weights, strict=True)]
    same(normed, torch.stack(one_by_one))


@everywhere
def test_vmap_of_arrays_with_fewer_dimensions(device, calls):
    mask, x = torch.rand(4, 3, device=device) > 0.5, torch.rand(4, device=device).half()
    found = torch.vmap(lambda mask, x: operators.choose(mask, x, -x))(mask, x)
    same(found, torch.where(mask, x[:, None], -x[:, None]))
    assert len(calls) == 1


@everywhere
def test_vmap_of_functions_on_whole_arrays_is_a_call_for_each_element(device, calls):
    a = torch.rand(4, 2, 3, device=device)
    same(torch.vmap(operators.dot)(a, a), (a.double() ** 2).sum((1, 2)))
    assert len(calls) == 4


@everywhere
def test_dimensions_are_broadcast(device):
    a, x = torch.rand(4, 1, 2, 3, device=device), torch.rand(5, 3, device=device)
    same(operators.gemv(a, x, beta=0), torch.einsum("abmn,xn->axm", a, x))
    mask, x = torch.rand(4, 1, device=device) > 0.5, torch.rand(3, device=device).half()
    same(operators.choose(mask, x, -x), torch.where(mask, x, -x))


@everywhere
@pytest.mark.parametrize("dtype", [torch.float16, torch.bfloat16])
def test_floats_of_16_bits_are_computed_in_float32(device, dtype):
    x = torch.randn(1000, device=device, dtype=dtype)
    y = operators.scale(1.1, x)
    assert y.dtype == dtype
    same(y, (1.1 * x.float()).to(dtype))


@everywhere
def test_arguments_that_are_only_read_may_be_strided(device):
    a, x = torch.rand(3, 5, device=device).t(), ones(1, device=device).expand(3)
    same(operators.gemv(a, x, beta=0), a @ x)
    with pytest.raises(ValueError, match="points is not C-contiguous"):
        operators.rotate(torch.eye(3, device=device), torch.zeros(3, 2, device=device).t())


@everywhere
def test_element_wise_functions_work_on_any_tensors(device):
    x, whole = torch.rand(5, device=device), torch.ones(5, 6, device=device)
    y = whole.t()[::2]
    expected = y + 2 * x
    for call in (operators.axpy, torch.compile(operators.axpy, backend="eager")):
        y.fill_(1)
        call(2, x, y)
        same(y, expected)
    same(whole[:, 1], torch.ones(5))


@everywhere
def test_conjugates_are_read(device):
    a = torch.full((2, 2), 1j, device=device, dtype=torch.complex64)
    x = ones(2, device=device, dtype=torch.complex64)
    same(operators.gemv(a.conj(), x, beta=0), a.conj() @ x)


@everywhere
def test_conjugates_are_written(device):
    x = torch.full((2, 2), 1j, device=device, dtype=torch.complex64)
    operators.fill(x.conj()[0], 2 - 1j)
    operators.fill(x[1].conj().imag, 3)
    same(x, torch.tensor([[2 + 1j, 2 + 1j], [-3j, -3j]], dtype=torch.complex64))


@everywhere
def test_integers_of_64_bits_without_a_sign(device):
    y = torch.zeros(2, device=device, dtype=torch.uint64)
    operators.fill(y, 2**64 - 1)
    assert y.tolist() == [2**64 - 1] * 2
    iota = declaration.declarations()["iota"]
    seed = replace(iota.arguments[1], dtype="uint64")
    schema = schema_of(replace(iota, arguments=(iota.arguments[0], seed)))
    assert schema.startswith("iota(SymInt n, *, Scalar start")


@everywhere
@pytest.mark.parametrize("case", ERRORS)
def test_errors_match_the_functions(case, device):
    error, call = ERRORS[case]
    with pytest.raises(error):
        call(maker(device))


def test_an_array_that_is_missing_is_named():
    for name, arguments in (("a", (None, torch.ones(3))), ("x", (torch.ones(2, 3), None))):
        with pytest.raises(TypeError, match=exactly(f"{name} must be an array, not NoneType")):
            operators.gemv(*arguments)


def test_the_message_of_an_overlap():
    x = ones(3, dtype=torch.float64)
    message = "x and y overlap in memory; pass a copy of one of them"
    with pytest.raises(ValueError, match=exactly(message)):
        operators.swap(x, x)
    assert x.tolist() == [1, 1, 1]


@pytest.mark.gpu
def test_calls_are_on_the_current_stream_and_asynchronous():
    stream, x, y = torch.cuda.Stream(), ones(1000, device="cuda"), ones(1000, device="cuda")
    with torch.cuda.stream(stream):
        operators.dot(y, y)  # allocates memory, which may synchronize
        torch.cuda.synchronize()
        with native.closed_gate(stream.cuda_stream):
            x.mul_(2)
            operators.axpy(1, x, y)
            total = operators.dot(y, y)
        assert total.item() == 9000


@everywhere
def test_strided_tensors_are_passed_as_they_are(device):
    whole = torch.randn(2, 3, 12, 6, device=device)
    before, tables = whole.clone(), torch.randn(2, 3, 3, device=device)
    operators.rotary(whole[:, :, 4:8], *tables)
    first, second = before[:, :, 4:8].chunk(2, -1)
    cosine, sine = tables[:, :, None]
    expected = torch.cat([first * cosine - second * sine, first * sine + second * cosine], -1)
    torch.testing.assert_close(whole[:, :, 4:8], expected, rtol=1e-4, atol=1e-5)
    same(whole[:, :, :4], before[:, :, :4])


@everywhere
def test_bodies_get_the_strides_of_tensors(device):
    x, scale = torch.ones(3, 8, device=device), torch.ones(8, device=device)
    y, strides = torch.zeros(3, 6, device=device), torch.zeros(5, dtype=torch.int64, device=device)
    operators.spread(x[:, 2:6], scale[::2], y[:, 1:5], strides)
    is_staged = device == "cpu" and cuvec.device().kind == "cuda"  # and then contiguous
    assert strides.tolist() == ([4, 1, 1, 4, 1] if is_staged else [8, 1, 2, 6, 1])
    assert y.sum() == 12
