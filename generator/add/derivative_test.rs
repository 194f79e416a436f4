//! The tests of a derivative: its gradients are compared with finite differences, in PyTorch and in JAX.

use cuvec_declare::declaration::{Kind, Type};

use super::declaration::Declaration;
use super::derivative::{checked_dtype, has_gradient};
use super::sizes::first_shape;
use super::test::scalar_shown;
use crate::error::Result;
use crate::package::filled;

pub fn source(d: &Declaration, module: &str) -> Result<String> {
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
    let values = vec![
        ("module", module.to_owned()),
        ("name", d.name.clone()),
        ("arrays", arrays),
        ("numbers", format!("{{{}}}", numbers.join(", "))),
        ("of_torch", of_torch),
        ("gradients", gradients.join(", ")),
        ("tolerance", tolerance.to_owned()),
    ];
    filled(include_str!("derivative.py.hbs"), values)
}
