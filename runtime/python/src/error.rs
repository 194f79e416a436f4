//! Errors of the host as Python exceptions.

use std::any::Any;
use std::panic::{self, AssertUnwindSafe};
use std::ptr;

use cuvec_core::Error;
use cuvec_core::error::Kind;
use cuvec_spec::Role;
use pyo3::IntoPyObjectExt;
use pyo3::exceptions::{
    PyKeyboardInterrupt, PyMemoryError, PyOverflowError, PyRuntimeError, PyTypeError, PyValueError,
};
use pyo3::ffi;
use pyo3::panic::PanicException;
use pyo3::prelude::*;

#[cold]
pub fn to_python(error: Error) -> PyErr {
    let message = error.to_string();
    match error.kind() {
        Kind::Type(_) => PyTypeError::new_err(message),
        Kind::Value(_) => PyValueError::new_err(message),
        Kind::Overflow(_) => PyOverflowError::new_err(message),
        Kind::Memory { .. } | Kind::Scratch(_) => PyMemoryError::new_err(message),
        Kind::Unavailable(_) | Kind::Kernel(_) | Kind::Cuda { .. } => {
            PyRuntimeError::new_err(message)
        }
        // The handler's exception is set on this thread.
        Kind::Interrupted => {
            Python::attach(PyErr::take).unwrap_or_else(|| PyKeyboardInterrupt::new_err(message))
        }
    }
}

/// Another error for a value of a wrong type or size. Whatever else was raised stays: a signal's handler
/// raises anywhere.
#[cold]
pub fn instead(py: Python<'_>, error: PyErr, other: impl FnOnce() -> PyErr) -> PyErr {
    let is_wrong = error.is_instance_of::<PyTypeError>(py)
        || error.is_instance_of::<PyValueError>(py)
        || error.is_instance_of::<PyOverflowError>(py);
    if is_wrong { other() } else { error }
}

/// Where C enters, with the GIL. An error is set, and so is a panic.
#[inline(always)]
pub fn enter<R: Copy>(failed: R, work: impl FnOnce(Python<'_>) -> PyResult<R>) -> R {
    let enter = |py: Python<'_>| {
        let set = |error: PyErr| {
            error.restore(py);
            failed
        };
        guard(py, || work(py)).unwrap_or_else(set)
    };
    // SAFETY: the caller has the GIL, be it in the interpreter's last moments, when `attach` would refuse.
    unsafe { Python::attach_unchecked(enter) }
}

/// Makes an error the exception that it is to become, and a panic an error. Both make objects, for which there
/// may be no memory, and then pyo3 panics: where functions return to C, that would end the process.
#[inline(always)]
pub fn guard<R>(py: Python<'_>, work: impl FnOnce() -> PyResult<R>) -> PyResult<R> {
    let work = || work().map_err(|error| made(py, error));
    let outcome = panic::catch_unwind(AssertUnwindSafe(work));
    outcome.unwrap_or_else(|payload| Err(of_panic(py, payload.as_ref())))
}

/// The same, of what becomes an object: pyo3 would make it where nothing catches a panic.
pub fn guard_object<'py, R: IntoPyObject<'py>>(
    py: Python<'py>,
    work: impl FnOnce() -> PyResult<R>,
) -> PyResult<Bound<'py, PyAny>> {
    guard(py, || work()?.into_bound_py_any(py))
}

/// Message of pyo3's panic where an object could not be made.
const NO_OBJECT: &str = "PyObject pointer is null";

/// Does not print such panics: the caller gets a MemoryError instead.
pub fn hide_panics_without_memory() {
    let usual = panic::take_hook();
    panic::set_hook(Box::new(move |info| {
        if info.payload().downcast_ref::<&str>() != Some(&NO_OBJECT) {
            usual(info);
        }
    }));
}

#[cold]
fn made(py: Python<'_>, error: PyErr) -> PyErr {
    error.value(py);
    error
}

#[cold]
fn of_panic(py: Python<'_>, payload: &(dyn Any + Send)) -> PyErr {
    let text = said(payload);
    if text != NO_OBJECT {
        let make = AssertUnwindSafe(|| made(py, PanicException::new_err(text)));
        if let Ok(error) = panic::catch_unwind(make) {
            return error;
        }
    }
    // SAFETY: this thread is attached. Python has made this exception beforehand.
    unsafe { ffi::PyErr_NoMemory() };
    PyErr::fetch(py)
}

/// Does what may call Python while an exception may be set, which stays: objects are dropped then, too.
#[allow(deprecated, reason = "what takes their place is of Python 3.12")]
pub fn keeping_exception(_py: Python<'_>, work: impl FnOnce()) {
    let (mut class, mut value, mut traceback) = (ptr::null_mut(), ptr::null_mut(), ptr::null_mut());
    // SAFETY: this thread is attached.
    unsafe { ffi::PyErr_Fetch(&raw mut class, &raw mut value, &raw mut traceback) };
    work();
    // SAFETY: this thread is attached, and these are what was fetched.
    unsafe { ffi::PyErr_Restore(class, value, traceback) };
}

/// Returns the message of a panic.
#[cold]
pub fn said(payload: &(dyn Any + Send)) -> String {
    let text = payload.downcast_ref::<&str>().map(ToString::to_string);
    let text = text.or_else(|| payload.downcast_ref::<String>().cloned());
    text.unwrap_or_else(|| "panic from Rust code".to_owned())
}

/// The error for an array that says what cannot be.
#[cold]
pub fn invalid(error: impl std::fmt::Display) -> PyErr {
    PyValueError::new_err(error.to_string())
}

/// Why an object is not read as an array.
pub enum Unreadable {
    /// Its elements are of a type that is none of [`DType`].
    Elements(String),
    /// Its elements alone are not what it is, and what has them alone, if a method returns that.
    Subclass(&'static str, Option<&'static str>),
    Other(PyErr),
}

impl Unreadable {
    /// The error for the caller, who knows the array by this name.
    #[cold]
    pub fn named(self, name: &str, role: Role) -> PyErr {
        match self {
            Self::Elements(what) => PyTypeError::new_err(format!("{name}: {what}")),
            Self::Subclass(what, method) => {
                let plain = method.map(|method| format!("what {name}.{method}(...) returns"));
                let plain = plain.unwrap_or_else(|| "another array".to_owned());
                let fix = match role {
                    Role::In | Role::Scalar => plain,
                    Role::InOut | Role::Out => format!("{plain} and copy it back into {name}"),
                    Role::Result => format!("another array and copy it into {name}"),
                };
                PyValueError::new_err(format!("{name}: {what}; pass {fix}"))
            }
            Self::Other(error) => error,
        }
    }
}

impl From<PyErr> for Unreadable {
    fn from(error: PyErr) -> Self {
        Self::Other(error)
    }
}

impl From<Unreadable> for PyErr {
    fn from(error: Unreadable) -> Self {
        match error {
            Unreadable::Elements(what) => PyTypeError::new_err(what),
            Unreadable::Subclass(what, _) => PyValueError::new_err(what),
            Unreadable::Other(error) => error,
        }
    }
}

/// The error for elements of a type that is none of [`DType`].
#[cold]
pub fn unsupported(dtype: impl std::fmt::Display) -> Unreadable {
    Unreadable::Elements(format!(
        "arrays of {dtype} are not supported; use bool, an integer, a float of 64 bits or fewer, \
         complex64 or complex128, in native byte order"
    ))
}
