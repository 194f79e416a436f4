//! Attributes that a class defines in C, found once.

use std::mem;

use pyo3::exceptions::PyKeyError;
use pyo3::ffi;
use pyo3::prelude::*;
use pyo3::types::{PyMappingProxy, PyString, PyTuple, PyType};

use crate::finalization;

/// A `descrgetfunc`.
type Get = unsafe extern "C-unwind" fn(
    *mut ffi::PyObject,
    *mut ffi::PyObject,
    *mut ffi::PyObject,
) -> *mut ffi::PyObject;

/// Reads an attribute of the objects of one class. To look it up for each object takes longer than to
/// read it.
pub struct Getter {
    class: *mut ffi::PyObject,
    descriptor: *mut ffi::PyObject,
    get: Get,
}

impl Getter {
    /// None for an attribute that is not defined in C, or not by the class or one that it is made of. What
    /// was found is kept for good.
    pub fn find(class: &Bound<'_, PyType>, name: &str) -> PyResult<Option<Self>> {
        let Some(descriptor) = defined(class, name)? else {
            return Ok(None);
        };
        // SAFETY: the class of a live object, and the slot's own type.
        let get = unsafe {
            let kind = ffi::Py_TYPE(descriptor.as_ptr());
            if kind != &raw mut ffi::PyGetSetDescr_Type && kind != &raw mut ffi::PyMemberDescr_Type
            {
                return Ok(None);
            }
            let get = ffi::PyType_GetSlot(kind, ffi::Py_tp_descr_get);
            mem::transmute::<*mut std::ffi::c_void, Option<Get>>(get)
        };
        Ok(get.map(|get| Self {
            class: class.clone().into_ptr(),
            descriptor: descriptor.into_ptr(),
            get,
        }))
    }

    pub fn get<'py>(&self, object: Borrowed<'_, 'py, PyAny>) -> PyResult<Bound<'py, PyAny>> {
        // SAFETY: the descriptor and its class are kept; it looks itself what it is given.
        unsafe {
            let get = || (self.get)(self.descriptor, object.as_ptr(), self.class);
            let value = finalization::outlive(get);
            Bound::from_owned_ptr_or_err(object.py(), value)
        }
    }
}

/// Returns the attribute that a class, or the first of its bases with one, defines by this name.
fn defined<'py>(class: &Bound<'py, PyType>, name: &str) -> PyResult<Option<Bound<'py, PyAny>>> {
    let classes =
        finalization::named(class.as_any().as_borrowed(), "__mro__")?.cast_into::<PyTuple>()?;
    for class in classes {
        let names =
            finalization::named(class.as_borrowed(), "__dict__")?.cast_into::<PyMappingProxy>()?;
        let name = PyString::new(class.py(), name);
        match finalization::item(names.as_any().as_borrowed(), name.as_any()) {
            Err(error) if error.is_instance_of::<PyKeyError>(class.py()) => {}
            found => return found.map(Some),
        }
    }
    Ok(None)
}
