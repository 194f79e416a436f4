//! A module for each built-in function, whose state is where it finds its `Callable`.

use std::ffi::c_void;

use pyo3::ffi;
use pyo3::prelude::*;

/// A module whose state holds `pointer`; what it is defined by lives as long as the process.
pub fn with_state<'py>(py: Python<'py>, pointer: *const c_void) -> PyResult<Bound<'py, PyAny>> {
    // SAFETY: the state has the size of a pointer.
    unsafe {
        let own = Bound::from_owned_ptr_or_err(py, made(py, size_of::<*const c_void>() as isize)?)?;
        *ffi::PyModule_GetState(own.as_ptr()).cast::<*const c_void>() = pointer;
        Ok(own)
    }
}

#[cfg(not(all(Py_LIMITED_API, Py_GIL_DISABLED)))]
unsafe fn made(_py: Python<'_>, size: ffi::Py_ssize_t) -> PyResult<*mut ffi::PyObject> {
    let definition = Box::leak(Box::new(ffi::PyModuleDef {
        m_base: ffi::PyModuleDef_HEAD_INIT,
        m_name: c"function".as_ptr(),
        m_doc: std::ptr::null(),
        m_size: size,
        m_methods: std::ptr::null_mut(),
        m_slots: std::ptr::null_mut(),
        m_traverse: None,
        m_clear: None,
        m_free: None,
    }));
    // SAFETY: the definition lives as long as the process.
    Ok(unsafe { ffi::PyModule_Create(definition) })
}

/// abi3t has no `PyModuleDef`: objects are opaque in it.
#[cfg(all(Py_LIMITED_API, Py_GIL_DISABLED))]
unsafe fn made(py: Python<'_>, size: ffi::Py_ssize_t) -> PyResult<*mut ffi::PyObject> {
    let machinery = py.import("importlib.machinery")?;
    let spec = machinery.call_method1("ModuleSpec", ("function", py.None()))?;
    let gil = ffi::Py_MOD_GIL_NOT_USED;
    static mut ABI: ffi::PyABIInfo = ffi::_PyABIInfo_DEFAULT;
    let slots = Box::leak(Box::new([
        ffi::PySlot_STATIC_DATA(ffi::Py_mod_abi, (&raw mut ABI).cast()),
        ffi::PySlot_STATIC_DATA(ffi::Py_mod_name, c"function".as_ptr().cast_mut().cast()),
        ffi::PySlot_SIZE(ffi::Py_mod_state_size, size),
        ffi::PySlot_DATA(ffi::Py_mod_gil, gil),
        ffi::PySlot_END(),
    ]));
    // SAFETY: the slots live as long as the process, and the module is executed before it is used.
    unsafe {
        let own = ffi::PyModule_FromSlotsAndSpec(slots.as_ptr(), spec.as_ptr());
        if !own.is_null() && ffi::PyModule_Exec(own) != 0 {
            ffi::Py_DECREF(own);
            return Err(PyErr::fetch(py));
        }
        Ok(own)
    }
}
