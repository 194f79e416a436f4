//! Objects that are kept longer than their callers keep them.

use pyo3::ffi::PyObject;
use pyo3::prelude::*;

use super::{outlive, unwinding};

/// An object that may be gone when it is dropped here, and run a finalizer: any class's own, or one of what it
/// keeps.
pub struct Kept(Option<Py<PyAny>>);

impl Kept {
    pub fn bind<'a, 'py>(&'a self, py: Python<'py>) -> Borrowed<'a, 'py, PyAny> {
        let object = self.0.as_ref().expect("it is there until it is dropped");
        object.bind_borrowed(py)
    }
}

impl From<Py<PyAny>> for Kept {
    fn from(object: Py<PyAny>) -> Self {
        Self(Some(object))
    }
}

impl From<Bound<'_, PyAny>> for Kept {
    fn from(object: Bound<'_, PyAny>) -> Self {
        object.unbind().into()
    }
}

impl Drop for Kept {
    fn drop(&mut self) {
        let object = self.0.take();
        // With an interpreter that is no more, objects are nobody's business.
        let _ = Python::try_attach(|_py| {
            let release = unwinding!(Py_DecRef(*mut PyObject) -> ());
            // SAFETY: a reference of ours.
            outlive(|| object.map(|it| unsafe { release(it.into_ptr()) }))
        });
    }
}
