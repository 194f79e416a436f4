//! CuPy's arrays. They are always on a GPU and ordered by CuPy's current stream, so that neither has
//! to be asked of each of them: `__dlpack_device__` and a wait for each array take longer than a call.

use std::ptr;
use std::sync::atomic::{AtomicPtr, Ordering::SeqCst};

use host::Stream;
use pyo3::exceptions::PyTypeError;
use pyo3::ffi;
use pyo3::prelude::*;
use pyo3::types::{PyDict, PyString};

use crate::dlpack::methods;

/// The class, which lives for ever: no other one gets its address. No lock, and no interned names
/// below: a process that is forked while they are made waits for them for ever.
static CLASS: AtomicPtr<ffi::PyObject> = AtomicPtr::new(ptr::null_mut());
static GET_CURRENT_STREAM: AtomicPtr<ffi::PyObject> = AtomicPtr::new(ptr::null_mut());
/// What its arrays are asked for a capsule with. CuPy does not keep them.
static ARGUMENTS: AtomicPtr<ffi::PyObject> = AtomicPtr::new(ptr::null_mut());

/// Whether the object is of CuPy's class of arrays, and [`see`] has seen one before.
pub fn was_seen(object: Borrowed<'_, '_, PyAny>) -> bool {
    object.get_type_ptr().cast() == CLASS.load(SeqCst)
}

/// Looks whether it is; of a subclass it is not, which may export itself in another way.
pub fn see(object: Borrowed<'_, '_, PyAny>) -> PyResult<bool> {
    if !CLASS.load(SeqCst).is_null() {
        return Ok(false);
    }
    let py = object.py();
    // SAFETY: a live string.
    let module = unsafe {
        let module = ffi::PyImport_GetModule(PyString::new(py, "cupy").as_ptr());
        Bound::from_owned_ptr_or_opt(py, module)
    };
    let Some(module) = module else {
        return Ok(false); // as mostly
    };
    let (class, cuda) = (module.getattr_opt("ndarray")?, module.getattr_opt("cuda")?);
    let function = cuda.map(|it| it.getattr_opt("get_current_stream"));
    let (Some(class), Some(function)) = (class, function.transpose()?.flatten()) else {
        return Ok(false); // it is being imported
    };
    if !class.is(object.get_type()) {
        return Ok(false);
    }
    know(function);
    let arguments = methods::arguments_without_wait(py)?;
    ARGUMENTS.store(arguments.into_ptr(), SeqCst);
    CLASS.store(class.into_ptr(), SeqCst);
    Ok(true)
}

/// What an array is asked for a capsule with; [`see`] has seen one.
pub fn arguments(py: Python<'_>) -> Option<Bound<'_, PyDict>> {
    let arguments = ARGUMENTS.load(SeqCst);
    // SAFETY: null, or a dictionary that is kept for good.
    unsafe { Bound::from_borrowed_ptr_or_opt(py, arguments).map(|it| it.cast_into_unchecked()) }
}

/// Keeps the first function that says on which stream CuPy works, for good.
pub fn know(get_current_stream: Bound<'_, PyAny>) {
    let (nothing, new) = (ptr::null_mut(), get_current_stream.as_ptr());
    let kept = GET_CURRENT_STREAM.compare_exchange(nothing, new, SeqCst, SeqCst);
    if kept.is_ok() {
        let _ = get_current_stream.into_ptr();
    }
}

/// Whether there is one; after [`see`] has seen an array there is.
pub fn is_known() -> bool {
    !GET_CURRENT_STREAM.load(SeqCst).is_null()
}

/// The stream that CuPy works on, in this thread; none where it is not known how to ask.
pub fn current_stream(py: Python<'_>) -> PyResult<Option<Stream>> {
    let function = GET_CURRENT_STREAM.load(SeqCst);
    // SAFETY: null, or kept for good.
    let Some(function) = (unsafe { Bound::from_borrowed_ptr_or_opt(py, function) }) else {
        return Ok(None);
    };
    let handle = function.call0()?.getattr("ptr")?.extract();
    let no_handle = |_| PyTypeError::new_err("CuPy's stream is no handle");
    handle.map(|it| Some(Stream(it))).map_err(no_handle)
}
