//! Objects of declared classes, as methods get them.

use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

use cuvec_core::functions;
use pyo3::exceptions::{PyTypeError, PyValueError};
use pyo3::ffi;
use pyo3::prelude::*;
use pyo3::types::PyTuple;

use super::callable::Callable;
use crate::error::{guard, guard_object, to_python};

/// An object of a declared class, which is gone when it is closed.
#[pyclass(frozen, name = "Object")]
pub struct Object(Mutex<Option<Arc<functions::Object>>>);

impl Object {
    pub fn over(object: Arc<functions::Object>) -> Self {
        Self(Mutex::new(Some(object)))
    }

    fn slot(&self) -> MutexGuard<'_, Option<Arc<functions::Object>>> {
        self.0.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

#[pymethods]
impl Object {
    /// Wait for the calls that use it, and end it.
    fn close(&self, py: Python<'_>) -> PyResult<()> {
        guard(py, || {
            let object = self.slot().take();
            let finish = move || object.map_or(Ok(()), |it| it.finish());
            py.detach(finish).map_err(to_python)
        })
    }

    /// True once it is closed.
    #[getter]
    fn closed(&self) -> bool {
        self.slot().is_none()
    }

    /// The names of the dtypes that it was constructed for; empty once it is closed.
    #[getter]
    fn dtypes<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyTuple>> {
        let object = self.slot();
        let names = object.as_ref().map_or_else(Vec::new, |it| it.dtypes());
        PyTuple::new(py, names)
    }

    /// The index of its GPU; None on the CPU.
    #[getter]
    fn gpu<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyAny>> {
        guard_object(py, || Ok(self.slot().as_ref().and_then(|it| it.gpu())))
    }
}

/// The object that a method is called on: the first of its arguments.
///
/// # Safety
/// `values` must be as many live objects as `positional` says.
pub unsafe fn of(
    py: Python<'_>,
    callable: &Callable,
    values: *const *mut ffi::PyObject,
    positional: usize,
) -> PyResult<Arc<functions::Object>> {
    let method = callable.function.spec.name;
    let class = method.split('.').next().unwrap_or_default();
    let wrong = || PyTypeError::new_err(format!("{method}() needs a constructed {class}"));
    if positional == 0 {
        return Err(wrong());
    }
    // SAFETY: the caller's.
    let first = unsafe { Borrowed::from_ptr(py, *values) };
    let object = first.cast::<Object>().map_err(|_| wrong())?;
    match &*object.get().slot() {
        Some(object) if object.class == class => Ok(object.clone()),
        Some(_) => Err(wrong()),
        None => Err(PyValueError::new_err(format!(
            "{method}(): the {class} is closed; construct another"
        ))),
    }
}
