//! Values of Rust that objects are.

use pyo3::conversion::FromPyObjectOwned;
use pyo3::exceptions::PyTypeError;
use pyo3::ffi::{self, PyObject};
use pyo3::prelude::*;
use pyo3::types::PyTuple;

use super::{as_index, outlive, unwinding};

/// The integer that an object says it is, if this type holds it.
pub fn integer<'py, T: FromPyObjectOwned<'py>>(object: Borrowed<'_, 'py, PyAny>) -> PyResult<T> {
    let integer = as_index(object)?;
    #[expect(clippy::disallowed_methods, reason = "an integer of Python's")]
    integer.extract().map_err(Into::into)
}

/// The same of all items of a sequence.
pub fn integers<'py, T: FromPyObjectOwned<'py>>(
    object: Borrowed<'_, 'py, PyAny>,
) -> PyResult<Vec<T>> {
    let items = tuple(object)?;
    items
        .iter_borrowed()
        .map(integer)
        .collect::<PyResult<Vec<_>>>()
}

/// The items of a tuple of two.
pub fn pair<'a, 'py>(object: &'a Bound<'py, PyAny>) -> PyResult<[Borrowed<'a, 'py, PyAny>; 2]> {
    let tuple = object.cast::<PyTuple>()?;
    match tuple.len() {
        2 => Ok([tuple.get_borrowed_item(0)?, tuple.get_borrowed_item(1)?]),
        count => Err(PyTypeError::new_err(format!(
            "a tuple of {count} items, not 2"
        ))),
    }
}

/// The items of a sequence.
pub fn tuple<'py>(object: Borrowed<'_, 'py, PyAny>) -> PyResult<Bound<'py, PyTuple>> {
    // SAFETY: a live object, whose class is looked at.
    if unsafe { ffi::PySequence_Check(object.as_ptr()) } == 0 {
        let class = object.get_type().name()?;
        return Err(PyTypeError::new_err(format!("{class} is no sequence")));
    }
    let convert = unwinding!(PySequence_Tuple(*mut PyObject) -> *mut PyObject);
    // SAFETY: a live object, and the interpreter's own result.
    unsafe {
        let items = outlive(|| convert(object.as_ptr()));
        Bound::from_owned_ptr_or_err(object.py(), items).map(|it| it.cast_into_unchecked())
    }
}
