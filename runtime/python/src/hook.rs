//! Hooks into the package's Python code, which the native module cannot import: set once.

use std::sync::{PoisonError, RwLock};

use pyo3::exceptions::PyRuntimeError;
use pyo3::prelude::*;

/// A callable of Python's, or none so far.
pub struct Hook(RwLock<Option<Py<PyAny>>>);

impl Hook {
    pub fn set(&self, callable: Py<PyAny>) {
        let mut slot = self.0.write().unwrap_or_else(PoisonError::into_inner);
        let before = slot.replace(callable);
        drop(slot);
        drop(before); // after the lock: it may run Python code
    }

    pub fn get(&self, py: Python<'_>) -> PyResult<Py<PyAny>> {
        let slot = self.0.read().unwrap_or_else(PoisonError::into_inner);
        let callable = slot.as_ref().map(|callable| callable.clone_ref(py));
        callable.ok_or_else(|| {
            PyRuntimeError::new_err("a hook is not set: import the package, not its `_core`")
        })
    }
}

pub static ARRAY_CLASS: Hook = Hook(RwLock::new(None));
pub static DTYPE_FINDER: Hook = Hook(RwLock::new(None));
pub static ADAPTERS: Hook = Hook(RwLock::new(None));
pub static CONVERTER: Hook = Hook(RwLock::new(None));

/// Set what takes calls on arrays of a library that has an adapter.
#[pyfunction]
pub fn set_adapters(adapters: Py<PyAny>) {
    ADAPTERS.set(adapters);
}

/// Set what makes an array of NumPy's of an object with `__array__`, and None of others.
#[pyfunction]
pub fn set_converter(converter: Py<PyAny>) {
    CONVERTER.set(converter);
}
