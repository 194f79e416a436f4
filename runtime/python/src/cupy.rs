//! CuPy's arrays. They are always on a GPU and ordered by CuPy's current stream, so that neither has
//! to be asked of each of them: `__dlpack_device__` and a wait for each array take longer than a call.

mod fields;

use std::ffi::{CStr, c_void};
use std::mem;
use std::ptr;
use std::sync::atomic::{AtomicPtr, Ordering::SeqCst};

use cuvec_core::{DType, Stream};
use pyo3::exceptions::PyTypeError;
use pyo3::ffi;
use pyo3::prelude::*;
use pyo3::types::{PyDict, PyString, PyTuple};

use crate::dlpack::capsule;
use crate::error::instead;
use crate::finalization;
use crate::numpy::dtype_of;
pub use fields::{Getter, fields};

/// Cython's `intptr_t (void)`: returns the handle, or -1 and perhaps an exception.
type CurrentStream = unsafe extern "C-unwind" fn() -> isize;

/// The class, which lives for ever: no other one gets its address. No lock, and no interned names
/// below: a process that is forked while they are made waits for them for ever.
static CLASS: AtomicPtr<ffi::PyObject> = AtomicPtr::new(ptr::null_mut());
static GET_CURRENT_STREAM: AtomicPtr<ffi::PyObject> = AtomicPtr::new(ptr::null_mut());
/// The same for C, as far as CuPy has it: a [`CurrentStream`].
static CURRENT_STREAM: AtomicPtr<c_void> = AtomicPtr::new(ptr::null_mut());
/// Arguments for the capsules of its arrays. CuPy does not keep them.
static ARGUMENTS: AtomicPtr<ffi::PyObject> = AtomicPtr::new(ptr::null_mut());

/// Checks whether the object's class is CuPy's array class, and [`see`] has seen one before.
pub fn was_seen(object: Borrowed<'_, '_, PyAny>) -> bool {
    object.get_type_ptr().cast() == CLASS.load(SeqCst)
}

/// Looks whether it is; of a subclass it is not, which may export itself in another way.
pub fn see(object: Borrowed<'_, '_, PyAny>) -> PyResult<bool> {
    if !CLASS.load(SeqCst).is_null() {
        return Ok(false);
    }
    let py = object.py();
    let Some(module) = imported(py, "cupy") else {
        return Ok(false); // as mostly
    };
    let optional = finalization::named_opt;
    let module = module.as_borrowed();
    let (class, cuda) = (optional(module, "ndarray")?, optional(module, "cuda")?);
    let function = cuda.map(|it| optional(it.as_borrowed(), "get_current_stream"));
    let (Some(class), Some(function)) = (class, function.transpose()?.flatten()) else {
        return Ok(false); // it is being imported
    };
    if !class.is(object.get_type()) {
        return Ok(false);
    }
    know(function);
    fields::look(object)?;
    let arguments = capsule::arguments_without_wait(py)?;
    ARGUMENTS.store(arguments.into_ptr(), SeqCst);
    CLASS.store(class.into_ptr(), SeqCst);
    Ok(true)
}

/// Returns the arguments for the capsule of an array; [`see`] has seen one.
pub fn arguments(py: Python<'_>) -> Option<Bound<'_, PyDict>> {
    let arguments = ARGUMENTS.load(SeqCst);
    // SAFETY: null, or a dictionary that is kept for good.
    unsafe { Bound::from_borrowed_ptr_or_opt(py, arguments).map(|it| it.cast_into_unchecked()) }
}

/// A new array of CuPy's for the result `name`, whose elements are not set.
pub fn empty<'py>(
    py: Python<'py>,
    name: &str,
    shape: &[usize],
    dtype: DType,
    gpu: Option<usize>,
) -> PyResult<Bound<'py, PyAny>> {
    use finalization::{call_method, import, named};
    let dtype = match dtype {
        DType::F8E4M3 | DType::F8E5M2 => {
            let dtype = dtype.name();
            let problem = format!("{name}: CuPy has no {dtype}; pass an array of cuvec as out");
            return Err(PyTypeError::new_err(problem));
        }
        DType::BF16 => dtype_of(py, dtype)?, // whose name is known once ml_dtypes is imported
        _ => PyString::new(py, dtype.name()).into_any(),
    };
    let cupy = import(py, "cupy")?;
    let cuda = named(cupy.as_borrowed(), "cuda")?;
    let device = call_method(cuda.as_borrowed(), "Device", (gpu,))?;
    let device = device.as_borrowed();
    call_method(device, "__enter__", PyTuple::empty(py))?;
    let arguments = (PyTuple::new(py, shape)?, dtype);
    let made = call_method(cupy.as_borrowed(), "empty", arguments);
    call_method(device, "__exit__", (py.None(), py.None(), py.None()))?;
    made
}

/// A module that is imported already.
pub fn imported<'py>(py: Python<'py>, name: &str) -> Option<Bound<'py, PyAny>> {
    // SAFETY: a live string.
    unsafe {
        let module = ffi::PyImport_GetModule(PyString::new(py, name).as_ptr());
        Bound::from_owned_ptr_or_opt(py, module)
    }
}

/// Keeps the first function that says on which stream CuPy works, for good.
pub fn know(get_current_stream: Bound<'_, PyAny>) {
    let py = get_current_stream.py();
    let (nothing, new) = (ptr::null_mut(), get_current_stream.as_ptr());
    let kept = GET_CURRENT_STREAM.compare_exchange(nothing, new, SeqCst, SeqCst);
    if kept.is_ok() {
        let _ = get_current_stream.into_ptr();
        CURRENT_STREAM.store(for_c(py).unwrap_or(ptr::null_mut()), SeqCst);
    }
}

/// Returns the C function of CuPy's stream module that CuPy's own kernels call. Without it, the
/// Python function is called.
fn for_c(py: Python<'_>) -> Option<*mut c_void> {
    const SIGNATURE: &CStr = c"intptr_t (void)";
    let module = imported(py, "cupy_backends.cuda.stream")?;
    let exported = finalization::named(module.as_borrowed(), "__pyx_capi__").ok()?;
    let exported = exported.cast_into::<PyDict>().ok()?;
    let function = finalization::value_of(&exported, "get_current_stream_ptr").ok()??;
    // SAFETY: a live object, which need not be a capsule; its name is the signature.
    unsafe {
        let is_such = ffi::PyCapsule_IsValid(function.as_ptr(), SIGNATURE.as_ptr()) != 0;
        is_such.then(|| ffi::PyCapsule_GetPointer(function.as_ptr(), SIGNATURE.as_ptr()))
    }
}

/// True if the function is known, as it is once [`see`] has seen an array.
pub fn is_known() -> bool {
    !GET_CURRENT_STREAM.load(SeqCst).is_null()
}

/// The stream that CuPy works on, in this thread; none where it is not known how to ask.
pub fn current_stream(py: Python<'_>) -> PyResult<Option<Stream>> {
    let no_handle = || PyTypeError::new_err("CuPy's stream is no handle");
    let for_c = CURRENT_STREAM.load(SeqCst);
    if !for_c.is_null() {
        // SAFETY: a function of this signature, of a module that lives for ever; the GIL is held.
        let ask = unsafe { mem::transmute::<*mut c_void, CurrentStream>(for_c) };
        // SAFETY: the function has no arguments, and the GIL is held.
        let handle = finalization::outlive(|| unsafe { ask() });
        if handle == -1
            && let Some(error) = PyErr::take(py)
        {
            return Err(error);
        }
        return usize::try_from(handle)
            .map(|handle| Some(Stream(handle)))
            .map_err(|_| no_handle());
    }
    let function = GET_CURRENT_STREAM.load(SeqCst);
    // SAFETY: null, or kept for good.
    let Some(function) = (unsafe { Bound::from_borrowed_ptr_or_opt(py, function) }) else {
        return Ok(None);
    };
    let stream = finalization::call(&function, &PyTuple::empty(py), None)?;
    let handle = finalization::named(stream.as_borrowed(), "ptr")?;
    finalization::integer(handle.as_borrowed())
        .map(|it| Some(Stream(it)))
        .map_err(|error| instead(py, error, no_handle))
}
