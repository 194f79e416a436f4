//! Which argument of a call is for which parameter, and which dtype an argument chooses.

use cuvec_core::functions::Dtypes;
use cuvec_spec::{DefaultValue, Number, Role};
use pyo3::exceptions::PyTypeError;
use pyo3::ffi;
use pyo3::prelude::*;
use pyo3::types::{PyString, PyTuple};

use super::callable::Callable;
use crate::argument::Argument;
use crate::finalization;

/// The arguments in the order of the callable's names; none where none was given.
pub type Matched<'a, 'py> = [Option<Borrowed<'a, 'py, PyAny>>];

/// Puts the arguments of a call where they belong: nothing is there yet.
///
/// # Safety
/// `values` must be as many objects as `positional` says and then one for each of `names`, which is
/// a tuple or null. They live as long as `'a`.
pub unsafe fn fill<'a, 'py>(
    py: Python<'py>,
    callable: &Callable,
    values: *const *mut ffi::PyObject,
    positional: usize,
    names: *mut ffi::PyObject,
    matched: &mut Matched<'a, 'py>,
) -> PyResult<()> {
    if positional > callable.positional {
        let (takes, s) = (callable.positional, plural(callable.positional));
        return Err(refused(
            callable,
            format_args!("takes {takes} argument{s} by position, not {positional}"),
        ));
    }
    // SAFETY: the caller's, for all that is read here.
    let value = |index| unsafe { Borrowed::from_ptr(py, *values.add(index)) };
    for (index, slot) in matched[..positional].iter_mut().enumerate() {
        *slot = Some(value(index));
    }
    if !names.is_null() {
        // SAFETY: the interpreter passes a tuple of strings.
        let names = unsafe { Borrowed::from_ptr(py, names).cast_unchecked::<PyTuple>() };
        for (index, name) in names.iter_borrowed().enumerate() {
            let slot = &mut matched[place(callable, name)?];
            if slot.replace(value(positional + index)).is_some() {
                let name = finalization::text(name)?;
                return Err(refused(
                    callable,
                    format_args!("got multiple values for argument '{name}'"),
                ));
            }
        }
    }
    for (parameter, slot) in callable.parameters.iter().zip(&*matched) {
        if slot.is_none() && parameter.default.is_none() {
            return Err(refused(
                callable,
                format_args!("missing required argument '{}'", parameter.name),
            ));
        }
    }
    Ok(())
}

/// The arrays that were given, and what was read of them; not None for those that may be.
pub fn matched_arrays<'a, 'py>(
    callable: &'a Callable,
    matched: &'a Matched<'a, 'py>,
    arguments: &'a [Option<Argument>],
) -> impl Iterator<Item = (Borrowed<'a, 'py, PyAny>, &'a Option<Argument>)> {
    let parameters = callable.parameters.iter().zip(matched).zip(arguments);
    parameters
        .filter(|((parameter, _), _)| parameter.role != Role::Scalar)
        .filter_map(|((parameter, object), argument)| {
            let object = (*object).filter(|it| !(parameter.is_optional && it.is_none()))?;
            Some((object, argument))
        })
}

/// The parameter with this name.
fn place(callable: &Callable, name: Borrowed<'_, '_, PyAny>) -> PyResult<usize> {
    // Names that compilers and interpreters write are interned.
    let is_it = |known: &Py<PyString>| known.as_ptr() == name.as_ptr();
    if let Some(place) = callable.names.iter().position(is_it) {
        return Ok(place);
    }
    for (place, known) in callable.names.iter().enumerate() {
        if finalization::equal(name, known.bind(name.py()).as_any())? {
            return Ok(place);
        }
    }
    let name = finalization::text(name)?;
    let out = (callable.results > 0).then_some("out");
    let names = callable.parameters.iter().map(|it| it.name);
    let names = names.chain(out).chain(["stream"]).map(str::to_owned);
    let meant = similar_name(&name, names.collect())?;
    let meant = meant.map_or(String::new(), |it| format!("; did you mean '{it}'?"));
    Err(refused(
        callable,
        format_args!("got an unexpected keyword argument '{name}'{meant}"),
    ))
}

/// The parameter that was meant, most likely, by a name that none has: one that begins with it, or a similar one.
#[pyfunction]
pub fn similar_name(name: &Bound<'_, PyString>, known: Vec<String>) -> PyResult<Option<String>> {
    let text = name.to_string_lossy();
    if let Some(found) = known.iter().find(|it| it.starts_with(&*text)) {
        return Ok(Some(found.clone()));
    }
    let py = name.py();
    let difflib = finalization::import(py, "difflib")?;
    let arguments = (name, PyTuple::new(py, known)?, 1, 0.7); // two letters of three are not enough
    let found = finalization::call_method(difflib.as_borrowed(), "get_close_matches", arguments)?;
    let found = finalization::tuple(found.as_borrowed())?;
    let Some(first) = found.iter().next() else {
        return Ok(None);
    };
    let first = finalization::text(first.as_borrowed())?;
    Ok(Some(first.to_string_lossy().into_owned()))
}

#[cold]
fn refused(callable: &Callable, why: std::fmt::Arguments) -> PyErr {
    PyTypeError::new_err(format!("{}() {why}", callable.function.spec.name))
}

fn plural(count: usize) -> &'static str {
    if count == 1 { "" } else { "s" }
}

/// Chooses the dtype that is given for an argument, or its default.
#[cold]
pub fn choose_dtype(
    callable: &Callable,
    argument: usize,
    given: Option<Borrowed<'_, '_, PyAny>>,
    dtypes: &mut Dtypes,
) -> PyResult<()> {
    let parameter = &callable.parameters[argument];
    let index = match (given, parameter.default) {
        (Some(object), _) => index_of_dtype(parameter, object)?,
        (None, Some(DefaultValue::Number(Number::Integer(index)))) => index as usize,
        (None, _) => return Ok(()), // all that is required is there
    };
    callable.function.choose_dtype(argument, index, dtypes);
    Ok(())
}

/// The index of a dtype of any library, or of its name, among those that the argument may be.
pub fn index_of_dtype(
    parameter: &cuvec_spec::Argument,
    object: Borrowed<'_, '_, PyAny>,
) -> PyResult<usize> {
    let index_of = |name: &str| parameter.choices.iter().position(|choice| *choice == name);
    let shown = finalization::text(object)?;
    let name = shown.to_string_lossy();
    if let Some(index) = index_of(name.strip_prefix("torch.").unwrap_or(&name)) {
        return Ok(index);
    }
    let numpys = numpys(object)?;
    let name = numpys.as_ref().unwrap_or(&shown).to_string_lossy();
    index_of(&name).ok_or_else(|| {
        let wanted = parameter.choices_text(", ", " or ").replace('\'', "");
        PyTypeError::new_err(format!("{} must be {wanted}, not {name}", parameter.name))
    })
}

/// Returns NumPy's name of the dtype: `float16` for `'half'` and for the classes `np.float16` and
/// `jnp.float16`. None if it has no such dtype; it would take None for float64.
fn numpys<'py>(object: Borrowed<'_, 'py, PyAny>) -> PyResult<Option<Bound<'py, PyString>>> {
    if object.is_none() {
        return Ok(None);
    }
    let numpy = finalization::import(object.py(), "numpy")?;
    let dtype = finalization::named(numpy.as_borrowed(), "dtype")?;
    match finalization::call(&dtype, &PyTuple::new(object.py(), [object])?, None) {
        Ok(dtype) => Ok(Some(finalization::text(dtype.as_borrowed())?)),
        Err(error) if error.is_instance_of::<PyTypeError>(object.py()) => Ok(None),
        Err(error) => Err(error),
    }
}
