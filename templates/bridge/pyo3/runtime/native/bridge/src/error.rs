//! Errors of the host as Python exceptions.

use host::Error;
use pyo3::PyErr;
use pyo3::exceptions::{PyMemoryError, PyRuntimeError, PyTypeError, PyValueError};

pub fn to_python(error: Error) -> PyErr {
    let message = error.to_string();
    match error {
        Error::Type(_) => PyTypeError::new_err(message),
        Error::Value(_) => PyValueError::new_err(message),
        Error::Memory { .. } => PyMemoryError::new_err(message),
        Error::Unavailable(_) | Error::Kernel(_) | Error::Cuda { .. } => {
            PyRuntimeError::new_err(message)
        }
    }
}
