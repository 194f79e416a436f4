//! New arrays of the package's own class.

use cuvec_core::DType;
use cuvec_core::fork::Once;
use pyo3::prelude::*;
use pyo3::types::{PyTuple, PyType};

use crate::buffer::Buffer;
use crate::finalization;
use crate::hook::{array_class, dtype_finder};
use crate::{numpy, structs};

/// The dtypes of NumPy's, in the order of [`DType::ALL`].
static DTYPES: [Once<Py<PyAny>>; DType::ALL.len()] = [const { Once::new() }; DType::ALL.len()];

/// The array over a whole buffer, of its shape and dtype.
#[pyfunction]
pub fn array_of<'py>(buffer: &Bound<'py, Buffer>) -> PyResult<Bound<'py, PyAny>> {
    let py = buffer.py();
    let class = array_class(py)?.into_bound(py).cast_into::<PyType>()?;
    let this = buffer.get();
    let dtype = dtype_of(py, this.dtype())?;
    // SAFETY: the buffer has so many elements, and the array retains it; the class is a subclass of NumPy's.
    unsafe {
        let owner = buffer.clone().into_any();
        numpy::array(&class, &dtype, this.sizes(), this.block().address(), owner)
    }
}

/// NumPy's dtype; ImportError if it is one of ml_dtypes, which is not installed.
pub fn dtype_of(py: Python<'_>, dtype: DType) -> PyResult<Bound<'_, PyAny>> {
    if let Some(structure) = dtype.structure() {
        return structs::dtype(py, structure);
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
    finalization::call(dtype_finder(py)?.bind(py), &name, None)
}
