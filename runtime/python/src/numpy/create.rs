//! New arrays over memory, and of the package's own class, by NumPy's API for C: `numpy.ndarray(shape, dtype, buffer)` of Python takes several times as long.
//!
//! <https://numpy.org/doc/stable/reference/c-api/array.html#c.PyArray_NewFromDescr>

use std::ffi::{c_int, c_void};
use std::sync::atomic::AtomicPtr;
use std::sync::atomic::Ordering::SeqCst;
use std::{mem, ptr};

use cuvec_core::DType;
use cuvec_core::fork::Once;
use pyo3::exceptions::{PyModuleNotFoundError, PySystemError, PyTypeError};
use pyo3::ffi;
use pyo3::prelude::*;
use pyo3::types::{PyCapsule, PyTuple, PyType};

use super::{C_CONTIGUOUS, Fields, WRITEABLE};
use crate::hook::{ARRAY_CLASS, DTYPE_FINDER};
use crate::{finalization, struct_dtype};

type NewFromDescr = unsafe extern "C" fn(
    class: *mut ffi::PyTypeObject,
    descr: *mut ffi::PyObject, // takes the reference
    nd: c_int,
    dimensions: *const isize,
    strides: *const isize,
    data: *mut c_void,
    flags: c_int,
    template: *mut ffi::PyObject,
) -> *mut ffi::PyObject;

/// Where the function is in the table of NumPy's API. It has been there since NumPy 1.0.
const SLOT: usize = 94;

const ALIGNED: c_int = 0x0100;

/// The function, which lives for ever; null before [`load`].
static NEW_FROM_DESCR: AtomicPtr<c_void> = AtomicPtr::new(ptr::null_mut());

pub fn load(py: Python<'_>) -> PyResult<()> {
    let module = match finalization::import(py, "numpy._core._multiarray_umath") {
        Err(error) if error.is_instance_of::<PyModuleNotFoundError>(py) => {
            finalization::import(py, "numpy.core._multiarray_umath") // NumPy 1
        }
        found => found,
    }?;
    let table = finalization::named(module.as_borrowed(), "_ARRAY_API")?;
    let table = table.cast_into::<PyCapsule>()?;
    let table = table.pointer_checked(None)?.cast::<*mut c_void>();
    // SAFETY: a table that lives for ever, and has more functions.
    NEW_FROM_DESCR.store(unsafe { table.add(SLOT).read() }, SeqCst);
    Ok(())
}

/// An array of this class, dtype and shape over the memory of `owner`, which it retains.
///
/// # Safety
/// So many elements are at the address, as long as `owner` lives; `class` is NumPy's or a subclass of it.
pub unsafe fn array<'py>(
    class: &Bound<'py, PyType>,
    dtype: &Bound<'py, PyAny>,
    shape: &[usize],
    address: usize,
    owner: Bound<'py, PyAny>,
) -> PyResult<Bound<'py, PyAny>> {
    let function = NEW_FROM_DESCR.load(SeqCst);
    if function.is_null() || super::descr(&dtype.as_borrowed()).is_none() {
        return Err(PySystemError::new_err(
            "NumPy was not loaded, or the dtype is none",
        ));
    }
    // SAFETY: the function of this slot; a new reference to the dtype, which it takes; the caller's memory.
    unsafe {
        let new: NewFromDescr = mem::transmute(function);
        let array = new(
            class.as_type_ptr(),
            ffi::Py_NewRef(dtype.as_ptr()),
            shape.len() as c_int,
            shape.as_ptr().cast(),
            ptr::null(),
            address as *mut c_void,
            C_CONTIGUOUS | ALIGNED | WRITEABLE,
            ptr::null_mut(),
        );
        let array = Bound::from_owned_ptr_or_err(class.py(), array)?;
        let fields: *mut Fields = super::fields(array.as_ptr());
        (*fields).base = owner.into_ptr();
        Ok(array)
    }
}

/// Set the subclass of NumPy's that new arrays are of, and what finds NumPy's dtype by its name.
#[pyfunction]
pub fn set_array_class(array_class: Bound<'_, PyType>, find_dtype: Py<PyAny>) -> PyResult<()> {
    if !super::is_class_of_arrays(&array_class) {
        return Err(PyTypeError::new_err(
            "the class of arrays is none of NumPy's",
        ));
    }
    ARRAY_CLASS.set(array_class.into_any().unbind());
    DTYPE_FINDER.set(find_dtype);
    Ok(())
}

/// The dtypes of NumPy's, in the order of [`DType::ALL`].
static DTYPES: [Once<Py<PyAny>>; DType::ALL.len()] = [const { Once::new() }; DType::ALL.len()];

/// NumPy's dtype; ImportError if it is one of ml_dtypes, which is not installed.
pub fn dtype_of(py: Python<'_>, dtype: DType) -> PyResult<Bound<'_, PyAny>> {
    if let Some(structure) = dtype.structure() {
        return struct_dtype::dtype(py, structure);
    }
    let Some(index) = DType::ALL.iter().position(|it| *it == dtype) else {
        return find(py, dtype);
    };
    let found = match DTYPES[index].get() {
        Some(found) => found,
        None => DTYPES[index].keep(find(py, dtype)?.unbind()),
    };
    Ok(found.bind(py).clone())
}

fn find(py: Python<'_>, dtype: DType) -> PyResult<Bound<'_, PyAny>> {
    let name = PyTuple::new(py, [dtype.typestr()])?;
    finalization::call(DTYPE_FINDER.get(py)?.bind(py), &name, None)
}
