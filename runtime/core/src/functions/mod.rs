//! The functions of the package.
//!
//! A call goes three steps: [`Function::dtypes`] looks at the dtypes of the arrays, so that the bindings
//! know what their scalars are to become; [`Function::plan`] checks everything else; and [`Plan::run`]
//! does the work. Nothing is touched before all checks have passed.

mod adapt;
mod arguments;
mod body;
mod derivative;
mod docstring;
mod dtypes;
mod function;
mod inner_call;
mod methods;
mod names;
mod object;
mod on_cpu;
mod on_gpu;
mod plan;
mod run;
mod scalar;
mod shapes;
mod strides;
#[cfg(test)]
mod tests;
pub mod undeclared;
mod values;
mod walk;

use std::sync::OnceLock;

use cuvec_spec::{Spec, Struct};

use crate::error::{Error, Kind, Result};
use crate::library;

pub use arguments::{Arrays, INLINE_ARGS, Scalars};
pub use dtypes::Dtypes;
pub use function::{Function, Source, Step};
pub use object::Object;
pub use plan::{PendingResult, Plan, ScalarResult};
pub use scalar::Scalar;

/// All functions, in the order of their names.
///
/// # Errors
/// `Kind::Unavailable` when the package was put together from parts that do not fit.
#[inline]
pub fn all() -> Result<&'static [Function]> {
    match FUNCTIONS.get() {
        Some(Ok(functions)) => Ok(functions), // as all calls but the first find them
        _ => read_all(),
    }
}

/// The function of this name; none if the package has no such one.
///
/// # Errors
/// As for [`all`].
pub fn named(name: &str) -> Result<Option<&'static Function>> {
    let functions = all()?;
    let found = functions.binary_search_by_key(&name, |function| function.spec.name);
    Ok(found.ok().map(|place| &functions[place]))
}

/// All structs, in the order of their names.
///
/// # Errors
/// As for [`all`].
pub fn all_structs() -> Result<Vec<&'static Struct>> {
    names::structs(all()?)
}

static FUNCTIONS: OnceLock<Result<Vec<Function>>> = OnceLock::new();

#[cold]
fn read_all() -> Result<&'static [Function]> {
    let read = || {
        let specs = library::specs().map_err(Kind::Unavailable)?;
        let mut functions: Vec<_> = specs.into_iter().map(Function::new).collect();
        let methods = functions.iter().flat_map(|it| &it.methods);
        let mut all = functions.iter().chain(methods);
        all.try_for_each(Function::check_defaults)?;
        functions
            .iter()
            .try_for_each(|function| names::check(&function.spec))?;
        names::check_result_types(&functions)?;
        names::structs(&functions)?;
        let derivatives = functions
            .iter()
            .map(|it| derivative::read(&it.spec, &functions));
        let derivatives = derivatives.collect::<Result<Vec<_>>>()?;
        for (function, derivative) in functions.iter_mut().zip(derivatives) {
            function.derivative = derivative;
            for it in function.methods.iter_mut() {
                it.doc = docstring::read(&it.spec)?;
            }
            function.doc = docstring::read(&function.spec)?;
        }
        Ok(functions)
    };
    match FUNCTIONS.get_or_init(read) {
        Ok(functions) => Ok(functions),
        Err(error) => Err(error.clone()),
    }
}

/// An error in a text of a declaration, with the file, the line, and a mark under the place.
fn shown(spec: &Spec, what: &str, (line, at): (&str, usize), message: &str) -> Error {
    let (file, name) = (spec.file, spec.name);
    let mark = " ".repeat(line[..at].chars().count());
    let shown = format!("{file}: in the {what} of `{name}`, {message}\n    {line}\n    {mark}^");
    Kind::Unavailable(shown).into()
}
