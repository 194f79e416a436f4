//! Masked arrays, whose masks say which elements are none.

use std::mem;
use std::ptr;
use std::sync::atomic::{AtomicPtr, Ordering::SeqCst};

use pyo3::exceptions::PyValueError;
use pyo3::ffi;
use pyo3::prelude::*;

use crate::cupy;
use crate::numpy::NdArray;

/// A subclass that is not masked, which lives for ever: mostly `CuVec`, which comes first. No lock,
/// and no interned names below: a process that is forked while they are made waits for them for ever.
static PLAIN: AtomicPtr<ffi::PyTypeObject> = AtomicPtr::new(ptr::null_mut());

/// Refuses a masked array.
pub fn refuse(array: NdArray<'_, '_>) -> PyResult<()> {
    let (py, pointer) = (array.as_any().py(), array.as_any().get_type_ptr());
    if array.is_exact() || pointer == PLAIN.load(SeqCst) {
        return Ok(());
    }
    // There are no masked arrays before their module is imported.
    if let Some(module) = cupy::imported(py, "numpy.ma")
        && array
            .as_any()
            .is_instance(&module.getattr("MaskedArray")?)?
    {
        return Err(PyValueError::new_err(
            "masked arrays are not supported; pass what .filled(...) of it returns",
        ));
    }
    let first = PLAIN.compare_exchange(ptr::null_mut(), pointer, SeqCst, SeqCst);
    if first.is_ok() {
        mem::forget(array.as_any().get_type());
    }
    Ok(())
}
