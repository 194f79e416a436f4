//! Dtypes that Python code gives as arguments.

use cuvec_core::functions::Dtypes;
use cuvec_spec::{Argument, DefaultValue, Number};
use pyo3::exceptions::PyTypeError;
use pyo3::prelude::*;
use pyo3::types::{PyString, PyTuple};

use super::callable::Callable;
use crate::finalization;

/// Chooses the dtype that is given for an argument, or its default.
#[cold]
pub fn choose(
    callable: &Callable,
    argument: usize,
    given: Option<Borrowed<'_, '_, PyAny>>,
    dtypes: &mut Dtypes,
) -> PyResult<()> {
    let parameter = &callable.parameters[argument];
    let index = match (given, parameter.default) {
        (Some(object), _) => index(parameter, object)?,
        (None, Some(DefaultValue::Number(Number::Integer(index)))) => index as usize,
        (None, _) => return Ok(()), // all that is required is there
    };
    callable.function.choose_dtype(argument, index, dtypes);
    Ok(())
}

/// The index of a dtype of any library, or of its name, among those that the argument may be.
pub fn index(parameter: &Argument, object: Borrowed<'_, '_, PyAny>) -> PyResult<usize> {
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
