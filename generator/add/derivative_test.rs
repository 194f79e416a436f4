//! The tests of a derivative: its gradients are compared with finite differences, in PyTorch and in JAX.

use super::declaration::{Declaration, Kind, Type};
use super::derivative::{checked_dtype, has_gradient};
use super::sizes::first_shape;
use super::test::scalar_shown;

pub fn source(d: &Declaration, module: &str) -> String {
    let dtype = |dtype: Type| checked_dtype(d, dtype).unwrap_or_else(|| d.dtypes_of(dtype)[0]);
    let mut arrays = String::new();
    let mut numbers = Vec::new();
    let mut of_torch = String::new();
    let (mut is_coarse, is_short) = (false, |it: &str| matches!(it, "float32" | "complex64"));
    for argument in &d.arguments {
        let name = &argument.name;
        match &argument.kind {
            Kind::Array { shape, .. } => {
                let (dtype, shape) = (dtype(argument.dtype).numpy(), first_shape(d, shape));
                is_coarse |= is_short(dtype);
                let values = match has_gradient(d, argument) {
                    true => format!("rng.standard_normal({shape})"),
                    false => format!("rng.integers(0, 2, {shape})"),
                };
                arrays += &format!("    \"{name}\": {values}.astype(\"{dtype}\"),\n");
            }
            Kind::DType => {
                let asked = dtype(argument.dtype).numpy();
                is_coarse |= is_short(asked);
                numbers.push(format!("\"{name}\": \"{asked}\""));
                of_torch += &format!(", \"{name}\": torch.{asked}");
            }
            _ if argument.default.is_some() => {}
            _ => numbers.push(format!("\"{name}\": {}", scalar_shown(d, argument))),
        }
    }
    let gradients = d.arguments.iter().filter(|it| has_gradient(d, it));
    let gradients: Vec<_> = gradients.map(|it| format!("\"{}\"", it.name)).collect();
    let tolerance = match is_coarse {
        true => "{\"eps\": 1e-2, \"atol\": 2e-2, \"rtol\": 2e-2}  # of float32",
        false => "{\"eps\": 1e-6, \"atol\": 1e-6, \"rtol\": 1e-5}",
    };
    TESTS
        .replace("{module}", module)
        .replace("{name}", &d.name)
        .replace("{arrays}", &arrays)
        .replace("{numbers}", &numbers.join(", "))
        .replace("{of_torch}", &of_torch)
        .replace("{gradients}", &gradients.join(", "))
        .replace("{tolerance}", tolerance)
}

const TESTS: &str = r#""""The derivative of `{name}`, compared with finite differences, in PyTorch and in JAX."""

import importlib

import numpy as np
import pytest

from {module}.cuvec.declaration import declarations

rng = np.random.default_rng(0)
ARRAYS = {
{arrays}}
NUMBERS = {{numbers}}
GRADIENTS = [{gradients}]
TOLERANCE = {tolerance}

# PyTorch and JAX warn of much that is none of this package's.
pytestmark = pytest.mark.filterwarnings("ignore")
twice = pytest.mark.skipif(
    not declarations()["{name}_bwd"].derivative.steps,
    reason="{name}_bwd declares no derivative",
)


def of_gradients(function, arrays):
    """Return the function of what has a gradient, and the arrays that it is called with."""

    def call(*values):
        return function(**{**arrays, **NUMBERS, **dict(zip(GRADIENTS, values, strict=True))})

    return call, [arrays[name] for name in GRADIENTS]


@pytest.fixture
def torch():
    return pytest.importorskip("torch", reason="PyTorch is not installed")


@pytest.fixture
def tensors(torch):
    return {
        name: torch.tensor(array, requires_grad=name in GRADIENTS) for name, array in ARRAYS.items()
    }


@pytest.fixture
def operator(tensors):
    return of_gradients(importlib.import_module("{module}.torch").{name}, tensors)


@pytest.fixture
def function():
    jax = pytest.importorskip("jax", reason="JAX is not installed")
    with jax.enable_x64(True):
        arrays = {name: jax.numpy.asarray(array) for name, array in ARRAYS.items()}
        yield of_gradients(importlib.import_module("{module}.jax").{name}, arrays)


def test_gradients_in_torch(torch, operator):
    assert torch.autograd.gradcheck(*operator, **TOLERANCE)


@twice
def test_second_derivatives_in_torch(torch, operator):
    assert torch.autograd.gradgradcheck(*operator, **TOLERANCE)


@pytest.mark.usefixtures("operator")
def test_operator_in_torch(torch, tensors):
    operator = torch.ops.{module}.{name}.default
    torch.library.opcheck(operator, (), {**tensors, **NUMBERS{of_torch}})


@pytest.mark.parametrize("order", [1, pytest.param(2, marks=twice)])
def test_gradients_in_jax(order, function):
    check_grads = importlib.import_module("jax.test_util").check_grads
    check_grads(*function, order=order, modes=["rev"], **TOLERANCE)
"#;
