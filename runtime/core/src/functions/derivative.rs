//! Declared derivatives: their names looked up, and what cannot be is an error of the build.

mod types;

use cuvec_spec::derivative::{self, Fault, Given, Written};
use cuvec_spec::{Argument, DType, Role, Spec};

use super::function::{Function, Source, Step};
use crate::error::Result;

type Checked<T> = std::result::Result<T, Fault>;

fn fault<T>(at: usize, message: String) -> Checked<T> {
    Err(Written(message, at))
}

/// The derivative that a function declares, as steps; none if it declares none.
///
/// # Errors
/// `Kind::Unavailable`, which names the file and shows the place.
pub fn read(spec: &Spec, functions: &[Function]) -> Result<Vec<Step>> {
    if spec.derivative.is_empty() && spec.saved().is_empty() {
        return Ok(Vec::new());
    }
    steps(spec, functions).map_err(|Written(message, at)| {
        // In one line: a blank that is replaced may have more bytes
        let text = |it: &str| it.replace(char::is_whitespace, " ");
        let at = text(&spec.derivative[..at]).len();
        super::shown(spec, "derivative", (&text(spec.derivative), at), &message)
    })
}

fn steps(spec: &Spec, functions: &[Function]) -> Checked<Vec<Step>> {
    if let Some(why) = cannot_have_one(spec) {
        return fault(
            0,
            format!("{why}: PyTorch has no derivatives of such functions"),
        );
    }
    let mut steps: Vec<Step> = Vec::new();
    let written = match spec.derivative {
        "" => Vec::new(), // and it saves something for one
        text => derivative::read(text)?,
    };
    for written in written {
        let Written(name, at) = written.function;
        let Some(function) = functions.iter().find(|it| it.spec.name == name) else {
            return fault(at, format!("`{name}` is no function of the package"));
        };
        let function = function.spec;
        if let Some(why) = cannot_have_one(&function) {
            return fault(at, format!("{why}; gradients are what a function returns"));
        }
        let mut step = Step {
            gradients: Vec::new(),
            function,
            arguments: Vec::new(),
        };
        for Written(name, at) in &written.gradients {
            let gradient = gradient(spec, name, *at)?;
            let mut known = steps
                .iter()
                .flat_map(|it| &it.gradients)
                .chain(&step.gradients);
            if known.any(|known| *known == gradient) {
                return fault(*at, format!("`{name}` is there twice"));
            }
            step.gradients.push(gradient);
        }
        let (results, named) = (function.results().len(), step.gradients.len());
        if results != named {
            return fault(
                at,
                format!("`{name}` has {results} results for {named} gradients"),
            );
        }
        step.arguments = arguments(spec, &function, &written)?;
        let places = written.arguments.iter().map(|(_, Written(_, at))| *at);
        let places: Vec<_> = places.collect();
        types::check(spec, &step, &places, at)?;
        check_saved(spec, &step, &places)?;
        steps.push(step);
    }
    check_all_saved(spec, &steps)?;
    Ok(steps)
}

/// Why a function has no derivative, and calculates none.
fn cannot_have_one(spec: &Spec) -> Option<String> {
    let name = spec.name;
    let mut parameters = spec.parameters().iter();
    let is_wrong = |it: &&Argument| it.role.is_written() || it.role == Role::In && it.keyword_only;
    match parameters.find(is_wrong) {
        Some(it) if it.keyword_only => Some(format!("`{name}` takes `{}` by name only", it.name)),
        Some(it) => Some(format!("`{name}` writes its argument `{}`", it.name)),
        None if spec.results().is_empty() => Some(format!("`{name}` returns nothing")),
        None => None,
    }
}

/// The argument that `name` is the gradient of.
fn gradient(spec: &Spec, name: &str, at: usize) -> Checked<usize> {
    let mut arguments = spec.parameters().iter();
    let Some(index) = arguments.position(|it| name.strip_prefix('d') == Some(it.name)) else {
        let names: Vec<_> = spec
            .parameters()
            .iter()
            .filter(|it| has_gradient(spec, it))
            .collect();
        let names: Vec<_> = names.iter().map(|it| format!("`d{}`", it.name)).collect();
        let names = names.join(", ");
        return fault(
            at,
            format!("`{name}` is the gradient of no argument; those are {names}"),
        );
    };
    let argument = &spec.arguments[index];
    match argument.role == Role::Scalar {
        true => fault(
            at,
            format!("`{}` is a scalar, which has no gradient", argument.name),
        ),
        false => differentiable(spec, argument, index, at),
    }
}

fn differentiable(spec: &Spec, argument: &Argument, index: usize, at: usize) -> Checked<usize> {
    match has_gradient(spec, argument) {
        true => Ok(index),
        false => {
            let (name, dtype) = (argument.shown_name(), spec.type_text(argument));
            fault(at, format!("`{name}` is {dtype}, which has no gradient"))
        }
    }
}

fn has_gradient(spec: &Spec, argument: &Argument) -> bool {
    argument.role != Role::Scalar && spec.dtypes_of(argument).iter().any(|it| is_inexact(*it))
}

fn is_inexact(dtype: DType) -> bool {
    matches!(dtype.kind(), 'f' | 'c')
}

/// Returns the source of a name: an argument, a result, or the gradient of a result.
fn source(spec: &Spec, name: &str, at: usize) -> Checked<Source> {
    let first = spec.parameters().len();
    let all = spec.arguments.iter().enumerate();
    let values = all.clone().filter(|(_, it)| it.shown_name() == name);
    let gradients = all.skip(first).take(spec.results().len());
    let gradients = gradients.filter(|(_, it)| name.strip_prefix('d') == Some(it.shown_name()));
    let found = values.map(|(index, _)| Source::Value(index));
    let found: Vec<_> = found
        .chain(gradients.map(|(index, _)| Source::Gradient(index)))
        .collect();
    match found[..] {
        [Source::Gradient(index)] => {
            differentiable(spec, &spec.arguments[index], index, at).map(Source::Gradient)
        }
        [source] => Ok(source),
        [] => {
            let names = spec
                .arguments
                .iter()
                .map(|it| format!("`{}`", it.shown_name()));
            let results = spec
                .results()
                .iter()
                .map(|it| format!("`d{}`", it.shown_name()));
            let names = names.chain(results).collect::<Vec<_>>().join(", ");
            fault(at, format!("`{name}` is none of {names}"))
        }
        _ => {
            let hint = "rename an argument, or give each result a name";
            fault(at, format!("`{name}` has two meanings; {hint}"))
        }
    }
}

/// Returns the sources of the parameters of `function`, in the order in which it is written.
fn arguments(
    spec: &Spec,
    function: &Spec,
    written: &derivative::Step,
) -> Checked<Vec<(usize, Source)>> {
    let (name, parameters) = (function.name, function.parameters());
    let mut by_position = (0..parameters.len()).filter(|index| !parameters[*index].keyword_only);
    let mut found: Vec<(usize, Source)> = Vec::new();
    for (by_name, Written(given, at)) in &written.arguments {
        let parameter = match by_name {
            None => by_position.next(),
            Some(Written(name, _)) => parameters.iter().position(|it| it.name == *name),
        };
        let Some(parameter) = parameter else {
            return match by_name {
                None => fault(
                    *at,
                    format!("`{name}` takes no further argument by position"),
                ),
                Some(Written(it, at)) => fault(*at, format!("`{name}` takes no argument `{it}`")),
            };
        };
        if found.iter().any(|(known, _)| *known == parameter) {
            return fault(
                *at,
                format!(
                    "`{}` of `{name}` is given twice",
                    parameters[parameter].name
                ),
            );
        }
        let source = match given {
            Given::Name(name) => source(spec, name, *at)?,
            Given::Number(number) => Source::Number(*number),
        };
        found.push((parameter, source));
    }
    let is_missing = |index: &usize| {
        parameters[*index].default.is_none() && found.iter().all(|(known, _)| known != index)
    };
    match (0..parameters.len()).find(is_missing) {
        Some(index) => fault(
            written.end,
            format!("`{}` of `{name}` is missing", parameters[index].name),
        ),
        None => Ok(found),
    }
}

/// The function of a step calculates no gradient of what was saved: nothing could take it.
///
/// `places` is where the arguments are in the text.
fn check_saved(spec: &Spec, step: &Step, places: &[usize]) -> Checked<()> {
    let function = &step.function;
    // A fault in it is told where it is declared.
    let next = derivative::read(function.derivative).unwrap_or_default();
    let gradients: Vec<_> = next.iter().flat_map(|it| &it.gradients).collect();
    for (&(parameter, source), &place) in step.arguments.iter().zip(places) {
        let parameter = function.arguments[parameter].name;
        let is_its = |name: &str| name.strip_prefix('d') == Some(parameter);
        if let Source::Value(index) = source
            && spec.arguments[index].is_saved
            && gradients.iter().any(|it| is_its(it.0))
        {
            let (name, of) = (spec.arguments[index].name, function.name);
            return fault(
                place,
                format!(
                    "`{name}` is saved, so that its gradient would be lost, which the derivative of `{of}` \
                     calculates; make it a part of the gradients of the arguments"
                ),
            );
        }
    }
    Ok(())
}

/// Every saved result is used.
fn check_all_saved(spec: &Spec, steps: &[Step]) -> Checked<()> {
    let first = spec.arguments.len() - spec.saved().len();
    let is_used = |index: usize| {
        let mut passed = steps.iter().flat_map(|it| &it.arguments);
        passed.any(|(_, source)| *source == Source::Value(index))
    };
    match (first..spec.arguments.len()).find(|index| !is_used(*index)) {
        Some(index) => fault(
            0,
            format!(
                "`{}` is saved and not used; pass it, or do not save it",
                spec.arguments[index].name
            ),
        ),
        None => Ok(()),
    }
}
