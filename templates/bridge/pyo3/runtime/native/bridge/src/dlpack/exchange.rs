//! DLPack without calls of Python: whether the functions that a class offers to C may be used.
//!
//! <https://dmlc.github.io/dlpack/latest/c_api.html#c-exchange-api>

use std::ffi::CStr;

use dlpark::ffi::{DLPACK_MAJOR_VERSION, DLPackExchangeAPI, DLPackExchangeAPIHeader};
use pyo3::ffi::PyCapsule_GetPointer;
use pyo3::intern;
use pyo3::prelude::*;

const NAME: &CStr = c"dlpack_exchange_api";
const VERSIONS: usize = 16; // more than there are: a circle of them must end

/// Whether dlpark may call the functions for C: it does so wherever it finds them.
pub fn may_be_used(object: Borrowed<'_, '_, PyAny>) -> PyResult<bool> {
    let name = intern!(object.py(), "__dlpack_c_exchange_api__");
    match object.get_type().getattr_opt(name)? {
        None => Ok(false),
        Some(offered) if offered.is_none() => Ok(false),
        Some(offered) => Ok(functions(&offered)?.is_some() && !requires_grad(object)?),
    }
}

/// The functions of our version in a capsule, if all are there that dlpark needs.
pub fn functions(offered: &Bound<'_, PyAny>) -> PyResult<Option<&'static DLPackExchangeAPI>> {
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
            let complete = functions.managed_tensor_from_py_object_no_sync.is_some()
                && functions.current_work_stream.is_some();
            return Ok(complete.then_some(functions));
        }
        next = header.prev_api;
    }
    Ok(None)
}

/// Whether gradients are computed through the array. They would be lost without a word: the
/// functions for C know nothing of them, while `__dlpack__` refuses such an array.
fn requires_grad(object: Borrowed<'_, '_, PyAny>) -> PyResult<bool> {
    match object.getattr_opt("requires_grad")? {
        Some(answer) => answer.is_truthy(),
        None => Ok(false),
    }
}
