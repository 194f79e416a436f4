//! Masked arrays, whose masks say which elements are none.

use numpy::PyUntypedArray;
use pyo3::exceptions::PyValueError;
use pyo3::ffi;
use pyo3::intern;
use pyo3::prelude::*;
use pyo3::sync::PyOnceLock;
use pyo3::type_object::PyTypeInfo;
use pyo3::types::PyType;

/// Refuses a masked array.
pub fn refuse(array: &Bound<'_, PyUntypedArray>) -> PyResult<()> {
    /// A subclass that is not masked: mostly `CuVec`, which comes first.
    static PLAIN: PyOnceLock<Py<PyType>> = PyOnceLock::new();
    let py = array.py();
    let class = array.get_type();
    let is_plain = class.as_type_ptr() == PyUntypedArray::type_object_raw(py)
        || PLAIN.get(py).is_some_and(|plain| plain.is(&class));
    if is_plain {
        return Ok(());
    }
    // SAFETY: a live string. There are no masked arrays before their module is imported.
    let module = unsafe {
        let module = ffi::PyImport_GetModule(intern!(py, "numpy.ma").as_ptr());
        Bound::from_owned_ptr_or_opt(py, module)
    };
    if let Some(module) = module
        && array.is_instance(&module.getattr(intern!(py, "MaskedArray"))?)?
    {
        return Err(PyValueError::new_err(
            "masked arrays are not supported; pass what .filled(...) of it returns",
        ));
    }
    PLAIN.get_or_init(py, || class.unbind());
    Ok(())
}
