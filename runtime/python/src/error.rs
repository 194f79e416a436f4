//! Errors of the host as Python exceptions.

use std::any::Any;
use std::panic::{self, AssertUnwindSafe};

use cuvec_core::Error;
use cuvec_core::error::Kind;
use pyo3::exceptions::{
    PyKeyboardInterrupt, PyMemoryError, PyOverflowError, PyRuntimeError, PyTypeError, PyValueError,
};
use pyo3::panic::PanicException;
use pyo3::{PyErr, PyResult, Python};

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
        // What the handler has raised is set on this thread.
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
        let outcome = panic::catch_unwind(AssertUnwindSafe(|| work(py)));
        let outcome =
            outcome.unwrap_or_else(|payload| Err(PanicException::new_err(said(payload.as_ref()))));
        outcome.unwrap_or_else(|error| {
            error.restore(py);
            failed
        })
    };
    // SAFETY: the caller has the GIL, be it in the interpreter's last moments, when `attach` would refuse.
    unsafe { Python::attach_unchecked(enter) }
}

/// What a panic has said.
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
