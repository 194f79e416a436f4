//! The derivative of a function: the one that calculates its gradients.

use cuvec_declare::declaration::{Argument, Kind, Outcome, Role, Type, Variable};
use cuvec_declare::{self as declare, DType};

use super::declaration::Declaration;
use crate::error::Error;

/// Adds the derivative to a declaration; the function that calculates the gradients.
pub fn add_to(d: &mut Declaration) -> Result<Declaration, Error> {
    let refused = |problem: &str, hint: &str| Err(Error::option("--derivative", problem, hint));
    let writes = |it: &Argument| matches!(it.role(), Some(Role::Inout | Role::Out));
    if d.arguments.iter().any(writes) || d.results.is_empty() {
        return refused(
            "is for a function that returns something and writes no argument",
            "return what it writes: `-> y: T(n)`",
        );
    }
    if d.has_arrays_of_structs() {
        let hint = "leave it out: PyTorch and JAX have no arrays of structs";
        return refused("is for arrays of numbers", hint);
    }
    if let Some(structure) = d.structs.first() {
        let problem = format!("would declare the struct `{}` in two files", structure.name);
        let hint =
            "declare it by hand: what functions share is in a header, or in `kernels/lib.rs`";
        return refused(&problem, hint);
    }
    if d.shapes().any(|it| it.at_most) {
        let hint = "return an array of a size that arguments give";
        return refused("is not for a result whose size the function finds", hint);
    }
    let is_by_name = |it: &Argument| it.is_array() && it.keyword_only;
    if d.arguments.iter().any(is_by_name) {
        let hint = "put arrays before the `*`";
        return refused("is not for an array that is given by name only", hint);
    }
    let gradients: Vec<_> = d
        .arguments
        .iter()
        .filter(|it| has_gradient(d, it))
        .collect();
    let results: Vec<_> = d
        .results
        .iter()
        .filter(|it| !it.is_saved && is_checkable(d, it.dtype))
        .collect();
    if gradients.is_empty() || results.is_empty() {
        return refused(
            "is for an array, and a result, of float32, float64 or complex numbers",
            "leave it out, or add such a dtype",
        );
    }
    if results.len() > 1 && results.iter().any(|it| it.name.is_empty()) {
        let hint = "give each a name: `-> q: T(n), r: T(n)`";
        return refused("is not for several results without names", hint);
    }
    let name = format!("{}_bwd", d.name);
    let variables = with_real_parts(d);
    let of_result = |it: &Outcome, name: String| Argument {
        name,
        dtype: match it.dtype {
            Type::Real(number) => {
                let name = real_part_of(d, number).name;
                let place = variables.iter().position(|it| it.name == name);
                Type::Variable(place.unwrap_or(number))
            }
            dtype => dtype,
        },
        kind: Kind::Array {
            role: Role::In,
            shape: it.shape.clone().unwrap_or_default(),
            is_optional: false,
        },
        default: None,
        keyword_only: false,
        at: 0,
    };
    let of_results = results
        .iter()
        .map(|it| of_result(it, gradient_of(&it.name)));
    let saved = d.results[d.returned()..].iter();
    let saved = saved.map(|it| of_result(it, it.name.clone()));
    let may_be_left_out = |it: &Argument| it.keyword_only || it.default.is_some();
    let first = d.arguments.iter().position(may_be_left_out);
    let (required, optional) = d.arguments.split_at(first.unwrap_or(d.arguments.len()));
    let required = of_results.chain(required.iter().cloned()).chain(saved);
    let mut passed: Vec<_> = required.chain(optional.iter().cloned()).collect();
    // A dtype that an array decides need not be passed.
    let decided = passed
        .iter()
        .filter(|it| it.is_array() && !it.is_optional());
    let decided: Vec<_> = decided.map(|it| it.dtype).collect();
    passed.retain(|it| it.kind != Kind::DType || !decided.contains(&it.dtype));
    let shown = passed.iter().map(|it| match it.keyword_only {
        true => format!("{0}={0}", it.name),
        false => it.name.clone(),
    });
    let names: Vec<_> = gradients.iter().map(|it| gradient_of(&it.name)).collect();
    let shown = shown.collect::<Vec<_>>().join(", ");
    let derivative = format!("{} = {name}({shown})", names.join(", "));
    let mut backward: Declaration = declare::Declaration {
        name,
        variables: variables.clone(),
        structs: Vec::new(),
        results: gradients.iter().map(|it| outcome(d, it)).collect(),
        arguments: passed,
    }
    .into();
    backward.gradients_of = Some(d.name.clone());
    d.derivative = Some(derivative);
    Ok(backward)
}

/// The variables, and one for each `real(T)`, which only results have.
fn with_real_parts(d: &Declaration) -> Vec<Variable> {
    let mut variables = d.variables.clone();
    for result in &d.results {
        if let Type::Real(number) = result.dtype {
            let real = real_part_of(d, number);
            if variables.iter().all(|it| it.name != real.name) {
                variables.push(real);
            }
        }
    }
    variables
}

fn real_part_of(d: &Declaration, number: usize) -> Variable {
    let mut dtypes: Vec<DType> = Vec::new();
    for dtype in d.dtypes_of(Type::Real(number)) {
        if !dtypes.contains(&dtype) {
            dtypes.push(dtype);
        }
    }
    Variable {
        name: match number {
            0 => "Real".to_owned(),
            _ => format!("Real{number}"),
        },
        dtypes,
        is_shared: false,
        at: 0,
    }
}

fn gradient_of(name: &str) -> String {
    format!("d{}", if name.is_empty() { "out" } else { name })
}

/// The gradient of an array: with leading dimensions if there are any, over which the runtime sums it.
fn outcome(d: &Declaration, argument: &Argument) -> Outcome {
    let mut shape = argument.shape().cloned().unwrap_or_default();
    shape.leading |= d.is_leading();
    shape.layout = "";
    Outcome {
        name: gradient_of(&argument.name),
        dtype: argument.dtype,
        shape: Some(shape),
        is_saved: false,
        at: 0,
    }
}

pub fn has_gradient(d: &Declaration, argument: &Argument) -> bool {
    argument.is_array() && is_checkable(d, argument.dtype)
}

/// Checks whether finite differences tell something of it.
fn is_checkable(d: &Declaration, dtype: Type) -> bool {
    checked_dtype(d, dtype).is_some()
}

/// The dtype for the tests: the first of these that there is.
pub fn checked_dtype(d: &Declaration, dtype: Type) -> Option<DType> {
    let dtypes = d.dtypes_of(dtype);
    let order = ["float64", "complex128", "float32", "complex64"];
    let mut found = order.iter().filter_map(|name| DType::named(name));
    found.find(|it| dtypes.contains(it))
}
