//! New tensors of another library, in its own memory.

use std::ffi::{CStr, c_char, c_void};
use std::ptr;

use cuvec_core::DType;
use pyo3::exceptions::{PyBufferError, PyMemoryError, PyRuntimeError};
use pyo3::prelude::*;

use super::exchange::expect_success;
use super::ffi::{DLDevice, DLPackExchangeAPI, DLTensor};
use crate::finalization;

/// Makes a C-contiguous tensor whose elements are not set.
///
/// # Errors
/// MemoryError, or what the library raises.
pub fn tensor<'py>(
    py: Python<'py>,
    library: &DLPackExchangeAPI,
    dtype: DType,
    shape: &[usize],
    device: DLDevice,
) -> PyResult<Bound<'py, PyAny>> {
    let (Some(allocate), Some(to_object)) = (
        library.managed_tensor_allocator,
        library.managed_tensor_to_py_object_no_sync,
    ) else {
        return Err(PyBufferError::new_err(
            "the library of the arguments makes no tensors; pass out=",
        ));
    };
    let mut extents: Vec<i64> = shape.iter().map(|&size| size as i64).collect();
    let (code, bits) = dtype.dlpack();
    let mut prototype = DLTensor {
        data: ptr::null_mut(),
        device,
        ndim: extents.len() as i32,
        code,
        bits,
        lanes: 1,
        shape: extents.as_mut_ptr(),
        strides: ptr::null_mut(),
        byte_offset: 0,
    };
    let (mut made, mut error) = (ptr::null_mut(), None::<PyErr>);
    // SAFETY: a tensor to be like, a place for the answer, and a function that takes this place.
    let status = finalization::outlive(|| unsafe {
        allocate(
            &raw mut prototype,
            &raw mut made,
            (&raw mut error).cast(),
            set_error,
        )
    });
    if status != 0 || made.is_null() {
        let unknown = || PyRuntimeError::new_err("the library of the arguments made no tensor");
        return Err(error.or_else(|| PyErr::take(py)).unwrap_or_else(unknown));
    }
    let mut object = ptr::null_mut();
    // SAFETY: a tensor that is ours, which the function takes.
    let status = finalization::outlive(|| unsafe { to_object(made, &raw mut object) });
    expect_success(py, status)?;
    // SAFETY: a new reference.
    unsafe { Bound::from_owned_ptr_or_err(py, object.cast()) }
}

/// Remembers why a library makes no tensor.
unsafe extern "C-unwind" fn set_error(
    error: *mut c_void,
    kind: *const c_char,
    message: *const c_char,
) {
    // SAFETY: the place that was passed with this function, and strings of C.
    let (error, kind, message) = unsafe {
        (
            &mut *error.cast::<Option<PyErr>>(),
            CStr::from_ptr(kind),
            CStr::from_ptr(message).to_string_lossy().into_owned(),
        )
    };
    *error = Some(match kind.to_bytes() {
        b"MemoryError" => PyMemoryError::new_err(message),
        _ => PyRuntimeError::new_err(message),
    });
}
