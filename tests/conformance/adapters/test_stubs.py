"""Stubs of the modules for PyTorch and JAX, which type checkers read."""

import ast
import importlib
import importlib.resources
import inspect

import pytest
from package import NAME

# A few of the lines.
SHOWN = {
    "torch": [
        "def affine(x: _torch.Tensor, weight: _torch.Tensor, bias: _torch.Tensor | None = None, *, out: _torch.Tensor | None = None) -> _torch.Tensor:",
        "def axpy(a: SupportsFloat | SupportsIndex, x: _torch.Tensor, y: _torch.Tensor) -> None:",
        "def extremes(x: _torch.Tensor) -> extremes_result:",
        "def pieces(x: _torch.Tensor) -> tuple[_torch.Tensor, _torch.Tensor, _torch.Tensor, _torch.Tensor]:",
        "def rms_norm(x: _torch.Tensor, weight: _torch.Tensor, *, eps: SupportsFloat | SupportsIndex = 1e-6) -> _torch.Tensor:",
        "def ramp(*, device: _torch.device | str | int | None = None, out: _torch.Tensor | None = None) -> _torch.Tensor:",
        "class extremes_result(NamedTuple):",
    ],
    "jax": [
        "def affine(x: object, weight: object, bias: object | None = None) -> _jax.Array:",
        "def extremes(x: object) -> extremes_result:",
        "def axpy(a: SupportsFloat | SupportsIndex, x: object, y: object) -> _jax.Array:",
        "def swap(x: object, y: object) -> tuple[_jax.Array, _jax.Array]:",
    ],
}


@pytest.fixture(params=SHOWN)
def adapter(request):
    pytest.importorskip(request.param)
    return request.param


@pytest.fixture
def functions(adapter):
    return importlib.import_module(f"{NAME}.cuvec.{adapter}.functions")


@pytest.fixture
def stub(adapter):
    path = importlib.resources.files(f"{NAME}.cuvec") / adapter / "functions.pyi"
    return path.read_text(encoding="utf-8")


def test_they_have_the_names_and_the_parameters_of_the_functions(functions, stub):
    body = ast.parse(stub).body
    (names,) = [ast.literal_eval(it.value) for it in body if isinstance(it, ast.Assign)]
    assert names == functions.__all__
    shown = {it.name: it for it in body if isinstance(it, ast.FunctionDef)}
    declared = [it for it in functions.__all__ if it != "register_autograd"]
    assert [*shown] == declared
    for name in declared:
        signature = inspect.signature(getattr(functions, name))
        parameters = signature.parameters.values()
        by_name = [it for it in parameters if it.kind is it.KEYWORD_ONLY]
        by_position = [it for it in parameters if it.kind is not it.KEYWORD_ONLY]
        arguments = shown[name].args
        assert [it.arg for it in arguments.args] == [it.name for it in by_position], name
        assert [it.arg for it in arguments.kwonlyargs] == [it.name for it in by_name], name
        defaults = [it for it in by_position if it.default is not it.empty]
        assert len(arguments.defaults) == len(defaults), name
        has_default = [it.default is not it.empty for it in by_name]
        assert [it is not None for it in arguments.kw_defaults] == has_default, name


def test_types(adapter, stub):
    lines = set(stub.splitlines())
    assert [it for it in SHOWN[adapter] if it not in lines] == []
