//! Calls that the adapter for a library takes: on traced arrays, on Dask's, and where gradients are wanted.

use cuvec_core::Error;
use cuvec_spec::Role;
use pyo3::exceptions::PyRuntimeError;
use pyo3::prelude::*;
use pyo3::types::{PyDict, PyString};

use super::callable::Callable;
use super::matching::{Matched, matched_arrays};
use crate::argument::{Argument, Backing};
use crate::error::to_python;
use crate::finalization;
use crate::hook::ADAPTERS;

/// The answer of the adapter for the array that could not be read, or the error of reading it.
#[cold]
pub fn instead<'py>(
    py: Python<'py>,
    callable: &Callable,
    matched: &Matched<'_, 'py>,
    arguments: &[Option<Argument>],
    error: PyErr,
) -> PyResult<Bound<'py, PyAny>> {
    let unread = matched_arrays(callable, matched, arguments)
        .find_map(|(object, argument)| argument.is_none().then_some(object));
    match unread {
        Some(object) => call(py, callable, matched, object)?.ok_or(error),
        None => Err(error),
    }
}

/// The error of a call, or what the adapter says of an array of JAX that was to be written.
#[cold]
pub fn explained<'py>(
    py: Python<'py>,
    callable: &Callable,
    matched: &Matched<'_, 'py>,
    arguments: &[Option<Argument>],
    error: Error,
) -> PyErr {
    let parameters = callable.parameters.iter().zip(matched).zip(arguments);
    let mut immutable = parameters.filter_map(|((parameter, object), argument)| {
        let argument = argument.as_ref().filter(|it| !it.array.writable)?;
        let object = object.filter(|it| is_jax(*it, argument))?;
        parameter.role.is_written().then_some(object)
    });
    let said = immutable
        .next()
        .map(|object| call(py, callable, matched, object));
    match said {
        Some(Err(said)) => said,
        _ => to_python(error),
    }
}

/// The answer of JAX's adapter for new arrays: there is an array of JAX among the arguments.
#[cold]
pub fn of_jax<'py>(
    py: Python<'py>,
    callable: &Callable,
    matched: &Matched<'_, 'py>,
    arguments: &[Option<Argument>],
) -> PyResult<Bound<'py, PyAny>> {
    let object = matched_arrays(callable, matched, arguments)
        .find_map(|(object, argument)| is_jax(object, argument.as_ref()?).then_some(object));
    let answer = object.map(|object| call(py, callable, matched, object));
    let missing = || PyRuntimeError::new_err("arrays of JAX come without JAX");
    answer.transpose()?.flatten().ok_or_else(missing)
}

/// Checks whether calls of a function on JAX arrays may be left to its adapter. There is none for
/// functions that find a size or take arrays of structs.
pub fn takes_jax(callable: &Callable, matched: &Matched<'_, '_>) -> bool {
    let is_read = |role| matches!(role, Role::Scalar | Role::In);
    let is_given = |it: &Option<Borrowed<'_, '_, PyAny>>| it.is_some_and(|it| !it.is_none());
    let finds_size = callable.function.spec.results().iter().any(|it| it.at_most);
    !finds_size
        && !callable.function.has_arrays_of_structs()
        && !callable.is_of_class()
        && callable.parameters.iter().all(|it| is_read(it.role))
        && !matched[callable.out()..].iter().any(is_given)
}

/// Checks whether an array that was read is one of JAX's.
pub fn is_jax(object: Borrowed<'_, '_, PyAny>, argument: &Argument) -> bool {
    let module = || finalization::named(object.get_type().as_any().as_borrowed(), "__module__");
    let begins = |module: Bound<'_, PyAny>| {
        let module = module.cast_into::<PyString>();
        module.is_ok_and(|it| it.to_str().is_ok_and(|it| it.starts_with("jax")))
    };
    matches!(argument.borrowed, Some(Backing::Dlpack(_))) && module().is_ok_and(begins)
}

/// The answer of the adapter for an array, if there is one, and the call is one that adapters know.
fn call<'py>(
    py: Python<'py>,
    callable: &Callable,
    matched: &Matched<'_, 'py>,
    object: Borrowed<'_, 'py, PyAny>,
) -> PyResult<Option<Bound<'py, PyAny>>> {
    let (arguments, more) = (PyDict::new(py), PyDict::new(py)); // `out` and `stream`
    for (place, (name, given)) in callable.names.iter().zip(matched).enumerate() {
        match given {
            Some(given) if place < callable.out() => arguments.set_item(name, given)?,
            Some(given) if !given.is_none() => more.set_item(name, given)?,
            _ => {}
        }
    }
    let name = callable.function.spec.name;
    let asked = (object, name, arguments, more).into_pyobject(py)?;
    let answer = finalization::call(ADAPTERS.get(py)?.bind(py), &asked, None)?;
    Ok(Some(answer).filter(|it| !it.is(py.NotImplemented())))
}
