//! Names that Python, or the package, has for something else: its stub would be no Python, or the function not be found.

use std::iter;

use cuvec_spec::{Spec, is_identifier};

use super::Function;
use crate::error::{Kind, Result};

/// Modules of a package, and types that the stub of its functions uses.
const TAKEN: &str = "bool complex cuvec dask ext float int jax object overload str torch tuple";

/// # Errors
/// `Kind::Unavailable`, which is an error of the build: the stub is written then.
pub fn check(spec: &Spec) -> Result<()> {
    let refused = |name: &str, what: &str| {
        let file = spec.file;
        Err(Kind::Unavailable(format!("{file}: `{name}` is {what}; choose another name")).into())
    };
    let arguments = spec.arguments.iter().map(|argument| argument.name);
    let dimensions = spec.dimensions.iter().map(|dimension| dimension.name);
    let variables = spec.variables.iter().map(|variable| variable.name);
    let named = arguments.chain(dimensions).chain(variables);
    let named = named.filter(|name| !name.is_empty()); // a result need not have one
    let mut names = iter::once(spec.own_name()).chain(named);
    if let Some(name) = names.find(|name| !is_identifier(name)) {
        return refused(name, "a keyword of Python");
    }
    let mut taken = TAKEN.split_ascii_whitespace();
    match taken.any(|word| word == spec.own_name()) {
        true => refused(spec.own_name(), "a module or a type of the package"),
        false => check_methods(spec),
    }
}

/// A class has each of its methods once, and none that all classes have.
fn check_methods(spec: &Spec) -> Result<()> {
    let methods = spec.class.map_or(&[][..], |class| class.methods);
    for (index, method) in methods.iter().enumerate() {
        let (file, name) = (method.file, method.own_name());
        let is_twice = methods[..index].iter().any(|it| it.name == method.name);
        let what = match name {
            _ if is_twice => "a method twice",
            "close" | "closed" => "a member of all classes",
            _ if name.starts_with('_') => "private, which no method is",
            _ if method.arguments.iter().any(|it| it.name == "self") => {
                "a method with an argument `self`, as Python calls its object"
            }
            _ => {
                check(method)?;
                continue;
            }
        };
        let problem = format!("{file}: `{name}` is {what}; choose another name");
        return Err(Kind::Unavailable(problem).into());
    }
    Ok(())
}

/// No function is called as the named tuple of another's results.
///
/// # Errors
/// As for [`check`].
pub fn check_result_types(functions: &[Function]) -> Result<()> {
    let taken = |name: &String| functions.iter().find(|it| it.spec.name == name);
    let result_types = functions.iter().filter_map(|it| it.spec.result_type());
    match result_types.filter_map(|name| taken(&name)).next() {
        Some(function) => {
            let Spec { file, name, .. } = function.spec;
            let problem = format!("{file}: `{name}` names the results of another function");
            Err(Kind::Unavailable(format!("{problem}; choose another name")).into())
        }
        None => Ok(()),
    }
}
