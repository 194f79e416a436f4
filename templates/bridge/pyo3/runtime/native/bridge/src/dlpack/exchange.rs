//! DLPack without calls of Python: whether the functions that a class offers to C may be used.
//!
//! <https://dmlc.github.io/dlpack/latest/c_api.html#c-exchange-api>

use std::ffi::CStr;

use dlpark::ffi::{DLPACK_MAJOR_VERSION, DLPackExchangeAPI, DLPackExchangeAPIHeader};
use pyo3::ffi::PyCapsule_GetPointer;
use pyo3::intern;
use pyo3::prelude::*;
use pyo3::types::PyDict;

const NAME: &CStr = c"dlpack_exchange_api";
const VERSIONS: usize = 16; // more than there are: a circle of them must end

/// What dlpark is to import. It calls functions for C wherever it finds them; where they must not
/// be called, this is another object, which has the methods alone.
pub fn exporter<'py>(object: Borrowed<'_, 'py, PyAny>) -> PyResult<Bound<'py, PyAny>> {
    let name = intern!(object.py(), "__dlpack_c_exchange_api__");
    let Some(offered) = object.get_type().getattr_opt(name)? else {
        return Ok(object.to_owned());
    };
    if !offered.is_none() && is_complete(&offered)? && !requires_grad(object)? {
        return Ok(object.to_owned());
    }
    methods_of(object)
}

/// Whether the functions of our version are there, all that dlpark needs.
fn is_complete(offered: &Bound<'_, PyAny>) -> PyResult<bool> {
    // SAFETY: it looks itself what it is given.
    let functions = unsafe { PyCapsule_GetPointer(offered.as_ptr(), NAME.as_ptr()) };
    if functions.is_null() {
        return Err(PyErr::fetch(offered.py()));
    }
    let mut next: *const DLPackExchangeAPIHeader = functions.cast();
    for _ in 0..VERSIONS {
        // SAFETY: the exporter vouches for what is in its capsule; headers are those of all versions.
        let Some(header) = (unsafe { next.as_ref() }) else {
            break;
        };
        if header.version.major == DLPACK_MAJOR_VERSION {
            // SAFETY: this header is the beginning of our version's functions.
            let functions = unsafe { &*next.cast::<DLPackExchangeAPI>() };
            return Ok(functions.managed_tensor_from_py_object_no_sync.is_some()
                && functions.current_work_stream.is_some());
        }
        next = header.prev_api;
    }
    Ok(false)
}

/// Whether gradients are computed through the array. They would be lost without a word: the
/// functions for C know nothing of them, while `__dlpack__` refuses such an array.
fn requires_grad(object: Borrowed<'_, '_, PyAny>) -> PyResult<bool> {
    match object.getattr_opt(intern!(object.py(), "requires_grad"))? {
        Some(answer) => answer.is_truthy(),
        None => Ok(false),
    }
}

/// An object with the methods of this one, and another class.
fn methods_of<'py>(object: Borrowed<'_, 'py, PyAny>) -> PyResult<Bound<'py, PyAny>> {
    let py = object.py();
    let methods = PyDict::new(py);
    for name in [intern!(py, "__dlpack__"), intern!(py, "__dlpack_device__")] {
        methods.set_item(name, object.getattr(name)?)?;
    }
    py.import("types")?
        .getattr("SimpleNamespace")?
        .call((), Some(&methods))
}
