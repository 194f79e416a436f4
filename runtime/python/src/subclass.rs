//! Subclasses of NumPy's arrays whose elements alone are not what they are: masked ones, and those with units.

use std::mem;
use std::ptr;
use std::sync::atomic::{AtomicPtr, Ordering::SeqCst};

use pyo3::exceptions::PyValueError;
use pyo3::ffi;
use pyo3::prelude::*;

use crate::cupy;
use crate::numpy::NdArray;

/// A subclass that is neither, which lives for ever: mostly `CuVec`, which comes first. No lock,
/// and no interned names below: a process that is forked while they are made waits for them for ever.
static PLAIN: AtomicPtr<ffi::PyTypeObject> = AtomicPtr::new(ptr::null_mut());

/// Raise ValueError if `x` is an array of such a subclass.
#[pyfunction]
pub fn refuse_subclass(x: &Bound<'_, PyAny>) -> PyResult<()> {
    NdArray::of(x.as_borrowed()).map_or(Ok(()), refuse)
}

/// Refuses an array of such a subclass.
pub fn refuse(array: NdArray<'_, '_>) -> PyResult<()> {
    let pointer = array.as_any().get_type_ptr();
    if array.is_exact() || pointer == PLAIN.load(SeqCst) {
        return Ok(());
    }
    if is_masked(array)? {
        return Err(PyValueError::new_err(
            "masked arrays are not supported; pass what .filled(...) of it returns",
        ));
    }
    if has_unit(array)? {
        return Err(PyValueError::new_err(
            "arrays with units are not supported; pass what .to_value(...) of it returns",
        ));
    }
    let first = PLAIN.compare_exchange(ptr::null_mut(), pointer, SeqCst, SeqCst);
    if first.is_ok() {
        mem::forget(array.as_any().get_type());
    }
    Ok(())
}

fn is_masked(array: NdArray<'_, '_>) -> PyResult<bool> {
    let array = array.as_any();
    match cupy::imported(array.py(), "numpy.ma") {
        Some(module) => array.is_instance(&module.getattr("MaskedArray")?),
        None => Ok(false), // there are none before their module is imported
    }
}

/// Whether it is a Quantity of astropy, or an array of unyt.
fn has_unit(array: NdArray<'_, '_>) -> PyResult<bool> {
    let array = array.as_any();
    Ok(array.hasattr("to_value")? && (array.hasattr("unit")? || array.hasattr("units")?))
}
