//! Checks that a derivative passes the dtypes that its functions take, for every choice of dtypes.

use cuvec_spec::{Argument, DType, DefaultValue, Number, Role, Spec, Type};

use super::{Checked, fault, is_inexact};
use crate::functions::function::{Source, Step};
use crate::functions::scalar::Scalar;

/// `places` is where the arguments are in the text, and `at` where the function is.
pub fn check(spec: &Spec, step: &Step, places: &[usize], at: usize) -> Checked<()> {
    let given = step.arguments.iter().zip(places);
    for (&(parameter, source), &place) in given.clone() {
        check_kind(spec, &step.function, parameter, source, place)?;
    }
    for choice in choices(spec) {
        let dtype = |index: usize| dtype_in(&spec.arguments[index], &choice);
        if step
            .gradients
            .iter()
            .all(|gradient| is_inexact(dtype(*gradient)))
        {
            check_dtypes(spec, step, &dtype, places, at)?;
        }
    }
    Ok(())
}

/// The dtypes of the variables, in all combinations.
fn choices(spec: &Spec) -> Vec<Vec<DType>> {
    let more = |choices: Vec<Vec<DType>>, dtypes: &[DType]| {
        let with = |choice: &Vec<DType>, dtype: &DType| [&choice[..], &[*dtype]].concat();
        let all = choices
            .iter()
            .flat_map(|it| dtypes.iter().map(move |dtype| with(it, dtype)));
        all.collect()
    };
    let variables = spec.variables.iter().map(|it| it.dtypes);
    variables.fold(vec![Vec::new()], more)
}

/// The dtype of a value, or the one that it is.
fn dtype_in(argument: &Argument, choice: &[DType]) -> DType {
    match (argument.dtype, argument.chooses) {
        (_, Some(variable)) => choice[variable],
        (Type::Fixed(dtype), _) => dtype,
        (Type::Variable(variable), _) => choice[variable],
        (Type::Real(variable), _) => choice[variable].real(),
    }
}

/// A scalar for a scalar, and for an array one with enough dimensions.
fn check_kind(
    spec: &Spec,
    function: &Spec,
    index: usize,
    source: Source,
    at: usize,
) -> Checked<()> {
    let parameter = &function.arguments[index];
    let wanted = format!("`{}` of `{}`", parameter.name, function.name);
    let is_scalar = parameter.role == Role::Scalar;
    let (given, d) = match source {
        Source::Number(number) if !parameter.choices.is_empty() => {
            let choices = parameter.choices_text(", ", " or ");
            return fault(
                at,
                format!("{number} is a number, and {wanted} is {choices}"),
            );
        }
        Source::Number(number) if parameter.items > 0 => {
            let wants = function.type_text(parameter);
            return fault(at, format!("{number} is a number, and {wanted} is {wants}"));
        }
        Source::Number(number) => {
            let dtypes = function.dtypes_of(parameter);
            return match dtypes
                .iter()
                .find(|dtype| Scalar::declared(number, **dtype).is_none())
            {
                _ if !is_scalar => {
                    fault(at, format!("{number} is a scalar, and {wanted} an array"))
                }
                Some(dtype) => fault(
                    at,
                    format!("{number} does not fit into {wanted}, of {}", dtype.name()),
                ),
                None => Ok(()),
            };
        }
        Source::Value(index) => (&spec.arguments[index], ""),
        Source::Gradient(index) => (&spec.arguments[index], "d"),
    };
    let (name, shape) = (format!("{d}{}", given.shown_name()), given.shape);
    match (given.role == Role::Scalar, is_scalar) {
        (true, false) => fault(at, format!("`{name}` is a scalar, and {wanted} an array")),
        (true, true)
            if (given.choices, given.items, given.chooses.is_some())
                != (
                    parameter.choices,
                    parameter.items,
                    parameter.chooses.is_some(),
                ) =>
        {
            let (has, wants) = (spec.type_text(given), function.type_text(parameter));
            fault(at, format!("`{name}` is {has}, and {wanted} is {wants}"))
        }
        (false, true) => fault(at, format!("`{name}` is an array, and {wanted} a scalar")),
        (false, false) if !shape.leading && shape.extents.len() < parameter.shape.extents.len() => {
            let (has, wants) = (spec.type_text(given), function.type_text(parameter));
            fault(at, format!("`{name}` is {has}, and {wanted} is {wants}"))
        }
        (false, false) if given.is_optional && !parameter.is_optional => {
            fault(at, format!("`{name}` may be None, and {wanted} may not"))
        }
        _ => Ok(()),
    }
}

/// The dtypes of a call, where `dtype` is what the arguments and results of `spec` have.
fn check_dtypes(
    spec: &Spec,
    step: &Step,
    dtype: &dyn Fn(usize) -> DType,
    places: &[usize],
    at: usize,
) -> Checked<()> {
    let function = &step.function;
    let mut chosen = vec![None; function.variables.len()];
    for (index, parameter) in function.arguments.iter().enumerate() {
        let Some(variable) = parameter.chooses else {
            continue;
        };
        let passed = step.arguments.iter().find(|(it, _)| *it == index);
        chosen[variable] = match (passed, parameter.default) {
            (Some((_, Source::Value(given))), _) => Some(dtype(*given)),
            (_, Some(DefaultValue::Number(Number::Integer(default)))) => {
                Some(function.variables[variable].dtypes[default as usize])
            }
            _ => None, // its place is checked before
        };
    }
    for (&(index, source), &place) in step.arguments.iter().zip(places) {
        let parameter = &function.arguments[index];
        let (given, d) = match source {
            Source::Value(given) => (given, ""),
            Source::Gradient(given) => (given, "d"),
            Source::Number(_) => continue,
        };
        if parameter.role == Role::Scalar {
            continue; // it is converted
        }
        let has = dtype(given);
        let mut allowed = function.dtypes_of(parameter).to_vec();
        if let Type::Variable(variable) = parameter.dtype {
            allowed.retain(|it| chosen[variable].is_none_or(|known| known == *it));
            chosen[variable] = Some(has);
        }
        if !allowed.contains(&has) {
            let name = format!("{d}{}", spec.arguments[given].shown_name());
            let dtypes: Vec<_> = allowed.iter().map(|it| it.name()).collect();
            let (has, wants) = (has.name(), dtypes.join(" or "));
            let wanted = format!("`{}` of `{}`", parameter.name, function.name);
            return fault(
                place,
                format!("`{name}` can be {has}, and then {wanted} must be {wants}"),
            );
        }
    }
    let chosen: Vec<_> = chosen
        .into_iter()
        .map(|it| it.unwrap_or(DType::F64))
        .collect();
    for (result, &gradient) in function.results().iter().zip(&step.gradients) {
        let (has, wants) = (dtype_in(result, &chosen).name(), dtype(gradient).name());
        if has != wants {
            let name = spec.arguments[gradient].name;
            let of = function.name;
            return fault(
                at,
                format!("`{name}` can be {wants}, and then its gradient from `{of}` is {has}"),
            );
        }
    }
    Ok(())
}
