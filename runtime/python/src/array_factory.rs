//! What makes arrays of new memory: Python's class says it.

use std::sync::{PoisonError, RwLock};

use pyo3::exceptions::PyRuntimeError;
use pyo3::prelude::*;

/// What makes an array of a `Buffer`, for results.
static ARRAY_FACTORY: RwLock<Option<Py<PyAny>>> = RwLock::new(None);

/// Set what makes an array of a `Buffer`, for results of functions.
#[pyfunction]
pub fn set_array_factory(factory: Py<PyAny>) {
    let mut slot = ARRAY_FACTORY
        .write()
        .unwrap_or_else(PoisonError::into_inner);
    let before = slot.replace(factory);
    drop(slot);
    drop(before); // after the lock: it may run Python code
}

pub fn array_factory(py: Python<'_>) -> PyResult<Py<PyAny>> {
    let slot = ARRAY_FACTORY.read().unwrap_or_else(PoisonError::into_inner);
    let factory = slot.as_ref().map(|factory| factory.clone_ref(py));
    factory.ok_or_else(|| {
        PyRuntimeError::new_err("no array factory is set: import the package, not its `_core`")
    })
}
