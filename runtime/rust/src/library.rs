//! Libraries of CUDA's that `cuda_libraries` in CMakeLists.txt links, called from Rust.

use std::ffi::{CStr, c_char};

use pyo3::exceptions::PyRuntimeError;
use pyo3::prelude::*;

/// `cuvec::require!(cufft)?` comes before calls of functions of `libcufft`, and is a `RuntimeError` with the `pip install` that helps
/// where it cannot be loaded. Without it such a call ends the process, since nothing may be thrown through Rust.
#[macro_export]
macro_rules! require {
    ($library:ident) => {{
        unsafe extern "C" {
            #[link_name = concat!("cuvec_missing_", stringify!($library))]
            safe fn missing() -> *const ::std::ffi::c_char;
        }
        // SAFETY: it returns null or a text, which lives until this thread asks again.
        unsafe { $crate::required(missing()) }
    }};
}

/// # Safety
/// `missing` is null or a text.
///
/// # Errors
/// `RuntimeError` with the text.
pub unsafe fn required(missing: *const c_char) -> PyResult<()> {
    if missing.is_null() {
        return Ok(());
    }
    // SAFETY: the caller's.
    let why = unsafe { CStr::from_ptr(missing) };
    Err(PyRuntimeError::new_err(why.to_string_lossy().into_owned()))
}
