//! Hooks into the package's Python code, which the native module cannot import: set once.

use std::sync::{PoisonError, RwLock};

use pyo3::exceptions::{PyRuntimeError, PyTypeError};
use pyo3::prelude::*;
use pyo3::types::PyType;

use crate::numpy;

/// A callable of Python's, or none so far.
struct Hook(RwLock<Option<Py<PyAny>>>);

impl Hook {
    fn set(&self, callable: Py<PyAny>) {
        let mut slot = self.0.write().unwrap_or_else(PoisonError::into_inner);
        let before = slot.replace(callable);
        drop(slot);
        drop(before); // after the lock: it may run Python code
    }

    fn get(&self, py: Python<'_>) -> PyResult<Py<PyAny>> {
        let slot = self.0.read().unwrap_or_else(PoisonError::into_inner);
        let callable = slot.as_ref().map(|callable| callable.clone_ref(py));
        callable.ok_or_else(|| {
            PyRuntimeError::new_err("a hook is not set: import the package, not its `_core`")
        })
    }
}

static ARRAY_CLASS: Hook = Hook(RwLock::new(None));
static DTYPE_FINDER: Hook = Hook(RwLock::new(None));
static ADAPTERS: Hook = Hook(RwLock::new(None));
static CONVERTER: Hook = Hook(RwLock::new(None));

/// Set the subclass of NumPy's that new arrays are of, and what finds NumPy's dtype by its name.
#[pyfunction]
pub fn set_array_class(array_class: Bound<'_, PyType>, find_dtype: Py<PyAny>) -> PyResult<()> {
    if !numpy::is_class_of_arrays(&array_class) {
        return Err(PyTypeError::new_err(
            "the class of arrays is none of NumPy's",
        ));
    }
    ARRAY_CLASS.set(array_class.into_any().unbind());
    DTYPE_FINDER.set(find_dtype);
    Ok(())
}

pub fn array_class(py: Python<'_>) -> PyResult<Py<PyAny>> {
    ARRAY_CLASS.get(py)
}

pub fn dtype_finder(py: Python<'_>) -> PyResult<Py<PyAny>> {
    DTYPE_FINDER.get(py)
}

/// Set what takes calls on arrays of a library that has an adapter.
#[pyfunction]
pub fn set_adapters(adapters: Py<PyAny>) {
    ADAPTERS.set(adapters);
}

pub fn adapters(py: Python<'_>) -> PyResult<Py<PyAny>> {
    ADAPTERS.get(py)
}

/// Set what makes an array of NumPy's of an object with `__array__`, and None of others.
#[pyfunction]
pub fn set_converter(converter: Py<PyAny>) {
    CONVERTER.set(converter);
}

pub fn converter(py: Python<'_>) -> PyResult<Py<PyAny>> {
    CONVERTER.get(py)
}
