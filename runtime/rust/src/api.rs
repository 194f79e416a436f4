//! `cuvec/api.h` in Rust.

use std::ffi::{CStr, CString, c_char, c_int, c_void};
use std::ptr;
use std::sync::OnceLock;

use cuvec_spec::{Value, c};
use pyo3::exceptions::{PyImportError, PyRuntimeError};
use pyo3::ffi;
use pyo3::prelude::*;
use pyo3::types::{PyDict, PyTuple};

const VERSION: i32 = 1;
const CAPSULE: &CStr = c"cuvec.api";

/// `cuvec_array`.
#[repr(C)]
pub struct RawArray {
    pub shape: *const i64,
    pub size: i64,
    pub rank: i32,
    pub dtype: i32,
    pub role: i32,
    pub gpu: i32,
}

/// `cuvec_api_body`.
pub type Body = unsafe extern "C" fn(*mut c::Call, *const Value, *mut c_void) -> c_int;

/// `cuvec_api`.
#[repr(C)]
pub struct Api {
    version: i32,
    size: i32,
    pub borrow:
        unsafe extern "C" fn(*mut ffi::PyObject, *const c_char, i32, i32, i32) -> *mut RawArray,
    pub zeros: unsafe extern "C" fn(i32, i32, *const i64) -> *mut RawArray,
    pub object: unsafe extern "C" fn(*const RawArray) -> *mut ffi::PyObject,
    pub release: unsafe extern "C" fn(*mut RawArray),
    pub run: unsafe extern "C" fn(
        *const c_char,
        *mut ffi::PyObject,
        *const *mut RawArray,
        i32,
        Option<Body>,
        Option<Body>,
        *mut c_void,
    ) -> c_int,
    pub call: unsafe extern "C" fn(
        *const c_char,
        *mut ffi::PyObject,
        *mut ffi::PyObject,
    ) -> *mut ffi::PyObject,
    pub device: unsafe extern "C" fn() -> i32,
    _check_signals: unsafe extern "C" fn() -> c_int, // pyo3 has its own
    _set_error: unsafe extern "C" fn(i32, *const c_char) -> c_int,
    pub set_threads: extern "C" fn(i32) -> i32,
}

static API: OnceLock<&'static Api> = OnceLock::new();

/// Takes the functions of the runtime from the package that the module is in.
///
/// # Errors
/// Exceptions of its import; an ImportError for another version of the runtime.
pub fn load(module: &Bound<'_, PyModule>) -> PyResult<()> {
    let name = module.name()?;
    let name = name.to_str()?;
    let package = name.rsplit_once('.').map_or(name, |(package, _)| package);
    let core = module.py().import(format!("{package}.cuvec._core"))?;
    let capsule = core.getattr("_api")?;
    // SAFETY: the capsule has this name only if it holds the struct, which lives as long as the process.
    let api = unsafe {
        let pointer = ffi::PyCapsule_GetPointer(capsule.as_ptr(), CAPSULE.as_ptr());
        pointer.cast::<Api>().as_ref()
    };
    let Some(api) = api else {
        return Err(PyErr::fetch(module.py()));
    };
    if api.version != VERSION || (api.size as usize) < size_of::<Api>() {
        return Err(PyImportError::new_err(
            "compiled with another version of the runtime; rebuild the package",
        ));
    }
    let _ = API.set(api); // a second import finds the same
    Ok(())
}

pub fn api() -> PyResult<&'static Api> {
    let api = API.get().copied();
    api.ok_or_else(|| PyRuntimeError::new_err("cuvec::load() was not called by the module"))
}

/// Calls a declared function of the package, or `assign`, which copies an array to another. The arguments are a tuple, with arrays as `&x`.
///
/// ```no_run
/// # use cuvec::{Array, Stream};
/// # use pyo3::prelude::*;
/// use pyo3::types::IntoPyDict;
///
/// /// Return `a @ (a @ x)`, calculated by the declared function `gemv`.
/// #[pyfunction]
/// #[pyo3(signature = (a, x, stream = None))]
/// fn twice<'py>(
///     py: Python<'py>,
///     a: Array<f64, 2>,
///     x: Array<f64>,
///     stream: Stream<'py>,
/// ) -> PyResult<Bound<'py, PyAny>> {
///     let keywords = [("stream", stream)].into_py_dict(py)?;
///     let y = cuvec::call(py, "gemv", (&a, &x), Some(&keywords))?;
///     cuvec::call(py, "gemv", (&a, y), Some(&keywords))
/// }
/// # fn main() -> PyResult<()> {
/// #     Python::attach(|py| {
/// #         let a = py.import("numpy")?.call_method1("array", ([[0.0, 2.0], [3.0, 0.0]],))?;
/// #         let x = cuvec::from_slice(py, &[1.0, 2.0])?;
/// #         let y = wrap_pyfunction!(twice, py)?.call1((a, &x))?;
/// #         assert_eq!(y.extract::<Vec<f64>>()?, [6.0, 12.0]);
/// #         Ok(())
/// #     })
/// # }
/// ```
///
/// # Errors
/// Exceptions of the function; an AttributeError if there is none of that name.
pub fn call<'py, A>(
    py: Python<'py>,
    function: &str,
    arguments: A,
    keywords: Option<&Bound<'py, PyDict>>,
) -> PyResult<Bound<'py, PyAny>>
where
    A: IntoPyObject<'py, Target = PyTuple, Output = Bound<'py, PyTuple>, Error = PyErr>,
{
    let function = CString::new(function)?;
    let arguments = arguments.into_pyobject(py)?;
    let keywords = keywords.map_or(ptr::null_mut(), |keywords| keywords.as_ptr());
    // SAFETY: the GIL is held, and the objects live.
    unsafe {
        let result = (api()?.call)(function.as_ptr(), arguments.as_ptr(), keywords);
        Bound::from_owned_ptr_or_err(py, result)
    }
}

/// The GPU that calls work on, by its number among those that CUDA shows; `None` if they work on the CPU. Ask before any other use of
/// CUDA: cudarc panics where there is no driver.
///
/// ```no_run
/// # use pyo3::exceptions::PyRuntimeError;
/// # use pyo3::prelude::*;
/// use cudarc::driver::CudaContext;
///
/// /// Return the name of the GPU, or None without one.
/// #[pyfunction]
/// fn gpu(py: Python<'_>) -> PyResult<Option<String>> {
///     let Some(gpu) = cuvec::device(py)? else {
///         return Ok(None);
///     };
///     let name = CudaContext::new(gpu).and_then(|context| context.name());
///     let name = name.map_err(|error| PyRuntimeError::new_err(error.to_string()))?;
///     Ok(Some(name))
/// }
/// # fn main() -> PyResult<()> {
/// #     Python::attach(|py| {
/// #         let name = wrap_pyfunction!(gpu, py)?.call0()?;
/// #         assert_eq!(name.is_none(), cuvec::device(py)?.is_none());
/// #         Ok(())
/// #     })
/// # }
/// ```
///
/// # Errors
/// Exceptions of `mypkg.cuvec.device()`: for a variable `CUVEC_DEVICE` that is wrong, for instance.
pub fn device(py: Python<'_>) -> PyResult<Option<usize>> {
    // SAFETY: the GIL is held.
    match unsafe { (api()?.device)() } {
        -1 => Ok(None),
        gpu => usize::try_from(gpu).map(Some).map_err(|_| PyErr::fetch(py)),
    }
}

/// Lets at most so many threads work on the CPU in the calls from now on; 0 lets all that there are. Returns what it was before.
///
/// # Errors
/// A RuntimeError before [`load`].
pub fn set_threads(threads: usize) -> PyResult<usize> {
    let before = (api()?.set_threads)(threads.try_into().unwrap_or(i32::MAX));
    Ok(before.try_into().unwrap_or(0))
}

/// `cuvec::require!(cufft)?` comes before calls of functions of `libcufft`, and is a `RuntimeError` with the `pip install` that helps
/// where it cannot be loaded. Without it such a call ends the process, since nothing may be thrown through Rust.
#[macro_export]
macro_rules! require {
    ($library:ident) => {{
        unsafe extern "C" {
            #[link_name = concat!("cuvec_missing_", stringify!($library))]
            safe fn missing() -> *const ::std::ffi::c_char;
        }
        // SAFETY: it returns null or a text, which lives until this thread asks again.
        unsafe { $crate::required(missing()) }
    }};
}

/// # Safety
/// `missing` is null or a text.
///
/// # Errors
/// `RuntimeError` with the text.
pub unsafe fn required(missing: *const c_char) -> PyResult<()> {
    if missing.is_null() {
        return Ok(());
    }
    // SAFETY: the caller's.
    let why = unsafe { CStr::from_ptr(missing) };
    Err(PyRuntimeError::new_err(why.to_string_lossy().into_owned()))
}
