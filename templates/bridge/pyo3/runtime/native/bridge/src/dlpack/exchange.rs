//! DLPack without calls of Python: the functions that a class offers to C.
//!
//! <https://dmlc.github.io/dlpack/latest/c_api.html#c-exchange-api>

use std::ffi::CStr;

use dlpark::ffi::{DLPACK_MAJOR_VERSION, DLPackExchangeAPI, DLPackExchangeAPIHeader};
use dlpark::python::consumer::ImportedDlpack;
use dlpark::python::consumer::exchange::ExchangeApi;
use host::Stream;
use pyo3::ffi::PyCapsule_GetPointer;
use pyo3::intern;
use pyo3::prelude::*;

const NAME: &CStr = c"dlpack_exchange_api";
const VERSIONS: usize = 16; // more than there are: a circle of them must end

/// The tensor, and the stream on which it is ready if it is on a GPU; none when its class offers
/// no functions that can be used, or when `__dlpack__` must decide about the object.
pub fn import(object: Borrowed<'_, '_, PyAny>) -> PyResult<Option<(ImportedDlpack, Stream)>> {
    if !may_be_used(object)? {
        return Ok(None);
    }
    let Some(functions) = ExchangeApi::from_object(object)? else {
        return Ok(None);
    };
    let imported = functions.import_managed_no_sync(object);
    let (tensor, stream) = imported
        .map_err(|error| super::refused(object.py(), error))?
        .into_parts();
    let stream = Stream(stream as usize);
    Ok(Some((ImportedDlpack::Versioned(tensor), stream)))
}

/// Whether dlpark may call the functions for C: it does so wherever it finds them.
fn may_be_used(object: Borrowed<'_, '_, PyAny>) -> PyResult<bool> {
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
    match object.getattr_opt(intern!(object.py(), "requires_grad"))? {
        Some(answer) => answer.is_truthy(),
        None => Ok(false),
    }
}
