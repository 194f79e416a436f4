//! Calls that may run Python code, and outlive the interpreter.
//!
//! Before 3.14 the interpreter ends a thread that comes back to it while it shuts down: it unwinds the stack,
//! which Rust takes for a fault that ends the process. Here the thread hangs instead, as it does from 3.14 on,
//! and the process ends without it. It hangs right where the call is, because what the callers have on their
//! stacks must not be dropped without the interpreter.

use std::hint::black_box;
use std::ptr;
use std::thread;
use std::time::Duration;

use pyo3::exceptions::PyAttributeError;
use pyo3::ffi::{self, PyObject};
use pyo3::prelude::*;
use pyo3::types::{PyDict, PyString, PyTuple};

/// A function of the interpreter, as one that may unwind. pyo3 declares all of them as functions that do not, and
/// the compiler, where it sees which one is called, believes that.
macro_rules! unwinding {
    ($name:ident($($argument:ty),*) -> $result:ty) => {{
        let function: unsafe extern "C" fn($($argument),*) -> $result = black_box(ffi::$name as _);
        // SAFETY: the same function, of the same arguments.
        unsafe {
            std::mem::transmute::<
                unsafe extern "C" fn($($argument),*) -> $result,
                unsafe extern "C-unwind" fn($($argument),*) -> $result,
            >(function)
        }
    }};
}

/// Is dropped only where the stack is unwound.
struct HangUnlessReturned;

impl Drop for HangUnlessReturned {
    #[cold]
    fn drop(&mut self) {
        while !thread::panicking() {
            thread::sleep(Duration::from_secs(60 * 60));
        }
    }
}

#[inline]
fn outlive<R>(call: impl FnOnce() -> R) -> R {
    let guard = HangUnlessReturned;
    let result = call();
    std::mem::forget(guard);
    result
}

/// An attribute, which a class may calculate.
pub fn attribute<'py>(
    object: Borrowed<'_, 'py, PyAny>,
    name: &Bound<'py, PyString>,
) -> PyResult<Bound<'py, PyAny>> {
    let get = unwinding!(PyObject_GetAttr(*mut PyObject, *mut PyObject) -> *mut PyObject);
    // SAFETY: live objects, and the interpreter's own result.
    unsafe {
        let found = outlive(|| get(object.as_ptr(), name.as_ptr()));
        Bound::from_owned_ptr_or_err(object.py(), found)
    }
}

/// The same of an object that need not have it.
pub fn attribute_opt<'py>(
    object: Borrowed<'_, 'py, PyAny>,
    name: &Bound<'py, PyString>,
) -> PyResult<Option<Bound<'py, PyAny>>> {
    match attribute(object, name) {
        Ok(value) => Ok(Some(value)),
        Err(error) if error.is_instance_of::<PyAttributeError>(object.py()) => Ok(None),
        Err(error) => Err(error),
    }
}

/// Whether an object has an attribute.
pub fn has(object: Borrowed<'_, '_, PyAny>, name: &str) -> PyResult<bool> {
    let name = PyString::intern(object.py(), name);
    Ok(attribute_opt(object, &name)?.is_some())
}

/// What a callable returns for these arguments.
pub fn call<'py>(
    callable: &Bound<'py, PyAny>,
    arguments: &Bound<'py, PyTuple>,
    keywords: Option<&Bound<'py, PyDict>>,
) -> PyResult<Bound<'py, PyAny>> {
    let call =
        unwinding!(PyObject_Call(*mut PyObject, *mut PyObject, *mut PyObject) -> *mut PyObject);
    let keywords = keywords.map_or(ptr::null_mut(), Bound::as_ptr);
    // SAFETY: as above.
    unsafe {
        let result = outlive(|| call(callable.as_ptr(), arguments.as_ptr(), keywords));
        Bound::from_owned_ptr_or_err(callable.py(), result)
    }
}

/// `float(object)`, or -1 with an exception set.
pub fn as_float(object: Borrowed<'_, '_, PyAny>) -> f64 {
    let convert = unwinding!(PyFloat_AsDouble(*mut PyObject) -> f64);
    // SAFETY: a live object.
    unsafe { outlive(|| convert(object.as_ptr())) }
}

/// The integer that an object says it is.
pub fn as_index<'py>(object: Borrowed<'_, 'py, PyAny>) -> PyResult<Bound<'py, PyAny>> {
    let convert = unwinding!(PyNumber_Index(*mut PyObject) -> *mut PyObject);
    // SAFETY: as above.
    unsafe {
        let index = outlive(|| convert(object.as_ptr()));
        Bound::from_owned_ptr_or_err(object.py(), index)
    }
}
