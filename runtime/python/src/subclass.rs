//! Arrays whose elements alone are not what they are: masked ones, and those with units. All but pint's are
//! subclasses of NumPy's.

use std::mem;
use std::ptr;
use std::sync::atomic::{AtomicPtr, Ordering::SeqCst};

use cuvec_spec::Role;
use pyo3::ffi;
use pyo3::prelude::*;

use crate::error::{Unreadable, guard};
use crate::finalization;
use crate::numpy::NdArray;

/// A subclass that is neither, which lives for ever: mostly `CuVec`, which comes first. No lock,
/// and no interned names below: a process that is forked while they are made waits for them for ever.
static PLAIN: AtomicPtr<ffi::PyTypeObject> = AtomicPtr::new(ptr::null_mut());

pub const MASKED: &str = "masked arrays are not supported";
const WITH_UNITS: &str = "arrays with units are not supported";

/// Raise ValueError if `x` is such an array.
#[pyfunction]
pub fn refuse_subclass(x: &Bound<'_, PyAny>) -> PyResult<()> {
    let named = |error: Unreadable| error.named("a", Role::In); // the name in the functions that ask
    guard(x.py(), || match NdArray::of(x.as_borrowed()) {
        Some(array) => refuse(array).map_err(named),
        None => refuse_pints(x.as_borrowed()).map_err(named),
    })
}

/// Refuses an array of such a subclass.
pub fn refuse(array: NdArray<'_, '_>) -> Result<(), Unreadable> {
    let pointer = array.as_any().get_type_ptr();
    if array.is_exact() || pointer == PLAIN.load(SeqCst) {
        return Ok(());
    }
    if is_masked(array)? {
        return Err(Unreadable::Subclass(MASKED, Some("filled")));
    }
    if has_unit(array)? {
        return Err(Unreadable::Subclass(WITH_UNITS, Some("to_value")));
    }
    let first = PLAIN.compare_exchange(ptr::null_mut(), pointer, SeqCst, SeqCst);
    if first.is_ok() {
        mem::forget(array.as_any().get_type());
    }
    Ok(())
}

fn is_masked(array: NdArray<'_, '_>) -> PyResult<bool> {
    let array = array.as_any();
    match finalization::imported(array.py(), "numpy.ma") {
        Some(module) => {
            let class = finalization::named(module.as_borrowed(), "MaskedArray")?;
            finalization::is_instance(array, &class)
        }
        None => Ok(false), // there are none before their module is imported
    }
}

/// Refuses a Quantity of pint. It answers for the array in it, whatever its library: DLPack drops the unit.
pub fn refuse_pints(object: Borrowed<'_, '_, PyAny>) -> Result<(), Unreadable> {
    let Some(module) = finalization::imported(object.py(), "pint") else {
        return Ok(());
    };
    match finalization::named_opt(module.as_borrowed(), "Quantity")? {
        Some(class) if finalization::is_instance(object, &class)? => {
            Err(Unreadable::Subclass(WITH_UNITS, Some("m_as")))
        }
        _ => Ok(()),
    }
}

/// Checks whether it is a Quantity of astropy, or an array of unyt.
fn has_unit(array: NdArray<'_, '_>) -> PyResult<bool> {
    let has = |name| finalization::has(array.as_any(), name);
    Ok(has("to_value")? && (has("unit")? || has("units")?))
}
