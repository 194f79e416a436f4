//! The size of what all objects begin with, before the fields of their class.

use std::mem;

use pyo3::ffi;
use pyo3::prelude::*;

#[cfg(all(Py_LIMITED_API, Py_GIL_DISABLED))]
use crate::finalization;

/// The fields of an object.
pub fn fields<T>(object: *mut ffi::PyObject) -> *mut T {
    object.wrapping_byte_add(size()).cast()
}

#[cfg(not(all(Py_LIMITED_API, Py_GIL_DISABLED)))]
fn size() -> usize {
    mem::size_of::<ffi::PyObject>()
}

#[cfg(not(all(Py_LIMITED_API, Py_GIL_DISABLED)))]
pub fn load(_py: Python<'_>) -> PyResult<()> {
    Ok(())
}

/// Size of an object under abi3t, where it differs with and without a GIL.
#[cfg(all(Py_LIMITED_API, Py_GIL_DISABLED))]
static SIZE: std::sync::atomic::AtomicUsize = std::sync::atomic::AtomicUsize::new(0);

#[cfg(all(Py_LIMITED_API, Py_GIL_DISABLED))]
fn size() -> usize {
    SIZE.load(std::sync::atomic::Ordering::Relaxed)
}

#[cfg(all(Py_LIMITED_API, Py_GIL_DISABLED))]
pub fn load(py: Python<'_>) -> PyResult<()> {
    let object = py.get_type::<PyAny>();
    let size = finalization::named(object.as_any().as_borrowed(), "__basicsize__")?;
    let size = finalization::integer(size.as_borrowed())?;
    debug_assert!(size >= 2 * mem::size_of::<usize>());
    SIZE.store(size, std::sync::atomic::Ordering::Relaxed);
    Ok(())
}
