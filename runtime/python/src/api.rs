//! The capsule of `cuvec/api.h`: the runtime for code that is written by hand.

use std::borrow::Cow;
use std::ffi::{CStr, c_char, c_int, c_void};
use std::panic::{self, AssertUnwindSafe};
use std::ptr;
use std::slice;
use std::sync::Arc;

use cuvec_core::fork::Once;
use cuvec_core::functions::undeclared::{self, Operand};
use cuvec_core::{Block, DType, Device, MemoryKind, Stream, device, parallel, shape};
use cuvec_spec::{Role, Status, Value, c};
use pyo3::exceptions::{
    PyAttributeError, PyKeyboardInterrupt, PyMemoryError, PyOverflowError, PyRuntimeError,
    PyTypeError, PyValueError,
};
use pyo3::ffi;
use pyo3::prelude::*;
use pyo3::types::{PyDict, PyTuple};

use crate::argument::{self, Argument};
use crate::buffer::{Buffer, array_of};
use crate::error::{enter, keeping_exception, to_python};
use crate::finalization::{self, Kept};
use crate::stream::{self, StreamArgument, StreamCache};

/// `CUVEC_API`.
const VERSION: i32 = 1;

/// `CUVEC_API_CAPSULE`.
const CAPSULE: &CStr = c"cuvec.api";

/// `cuvec_api_body`.
type Body = unsafe extern "C-unwind" fn(*mut c::Call, *const Value, *mut c_void) -> c_int;

/// `cuvec_api`.
#[repr(C)]
struct Api {
    version: i32,
    size: i32,
    borrow: unsafe extern "C" fn(*mut ffi::PyObject, *const c_char, i32, i32, i32) -> *mut Handle,
    zeros: unsafe extern "C" fn(i32, i32, *const i64) -> *mut Handle,
    object: unsafe extern "C" fn(*const Handle) -> *mut ffi::PyObject,
    release: unsafe extern "C" fn(*mut Handle),
    run: unsafe extern "C" fn(
        *const c_char,
        *mut ffi::PyObject,
        *const *const Handle,
        i32,
        Option<Body>,
        Option<Body>,
        *mut c_void,
    ) -> c_int,
    call: unsafe extern "C" fn(
        *const c_char,
        *mut ffi::PyObject,
        *mut ffi::PyObject,
    ) -> *mut ffi::PyObject,
    device: unsafe extern "C" fn() -> i32,
    check_signals: unsafe extern "C" fn() -> c_int,
    set_error: unsafe extern "C" fn(i32, *const c_char) -> c_int,
    set_threads: extern "C" fn(i32) -> i32,
}

static API: Api = Api {
    version: VERSION,
    size: size_of::<Api>() as i32,
    borrow,
    zeros,
    object,
    release,
    run,
    call,
    device: current_device,
    check_signals,
    set_error,
    set_threads,
};

/// `cuvec_array`, and behind it what C does not see.
#[repr(C)]
struct Handle {
    shape: *const i64,
    size: i64,
    rank: i32,
    dtype: i32,
    role: i32,
    gpu: i32,
    borrowed: Arc<BorrowedArray>,
}

/// An array, as long as somebody uses it.
pub struct BorrowedArray {
    object: Kept,
    argument: Argument,
    name: String,
    role: Role,
}

impl BorrowedArray {
    fn given(&self) -> Operand<'_> {
        Operand {
            name: &self.name,
            array: &self.argument.array,
            role: self.role,
        }
    }

    fn into_handle(self) -> *mut Handle {
        let borrowed = Arc::new(self);
        let array = &borrowed.argument.array;
        Box::into_raw(Box::new(Handle {
            shape: array.shape.as_ptr().cast(), // sizes have as many bits, and never the highest
            size: array.count() as i64,
            rank: array.shape.len() as i32,
            dtype: array.dtype.value().into(),
            role: borrowed.role as i32,
            gpu: array.gpu().map_or(-1, |gpu| gpu as i32),
            borrowed,
        }))
    }
}

/// Functions that `call` finds by name.
static FUNCTIONS: Once<Py<PyDict>> = Once::new();

/// Adds the capsule, as `_api`.
pub fn add_to(module: &Bound<'_, PyModule>) -> PyResult<()> {
    let py = module.py();
    let functions = PyDict::new(py);
    let own = |name| finalization::named(module.as_any().as_borrowed(), name);
    for function in own("declared")?.cast_into::<PyTuple>()? {
        let name = finalization::named(function.as_borrowed(), "__name__")?;
        functions.set_item(name, function)?;
    }
    functions.set_item("assign", own("assign")?)?;
    FUNCTIONS.keep(functions.unbind()); // a second import has the same
    let pointer = ptr::from_ref(&API).cast_mut().cast();
    // SAFETY: the struct and the name are constants.
    let capsule = unsafe {
        let capsule = ffi::PyCapsule_New(pointer, CAPSULE.as_ptr(), None);
        Bound::from_owned_ptr_or_err(py, capsule)?
    };
    module.add("_api", capsule)
}

/// # Safety
/// A string of C.
unsafe fn text<'a>(string: *const c_char) -> Cow<'a, str> {
    // SAFETY: the caller's.
    unsafe { CStr::from_ptr(string) }.to_string_lossy()
}

fn dtype_of(dtype: i32) -> PyResult<DType> {
    let known = i16::try_from(dtype).ok().and_then(DType::from_value);
    known.ok_or_else(|| PyValueError::new_err(format!("{dtype:#x} is no cuvec_dtype")))
}

unsafe extern "C" fn borrow(
    object: *mut ffi::PyObject,
    name: *const c_char,
    role: i32,
    dtype: i32,
    rank: i32,
) -> *mut Handle {
    enter(ptr::null_mut(), |py| {
        // SAFETY: the caller's object and name.
        let (object, name) = unsafe { (Bound::from_borrowed_ptr(py, object), text(name)) };
        let role = [Role::In, Role::InOut, Role::Out]
            .into_iter()
            .find(|&known| known as i32 == role)
            .ok_or_else(|| PyValueError::new_err(format!("{name} has no role of arrays")))?;
        let streams = StreamCache::default();
        let borrowed = BorrowedArray {
            argument: Argument::read(object.as_borrowed(), &name, role, &streams)?,
            object: object.into(),
            role,
            name: name.into_owned(),
        };
        let dtype = match dtype {
            0 => None,
            dtype => Some(dtype_of(dtype)?),
        };
        let checked = borrowed.given().check(dtype, usize::try_from(rank).ok());
        checked.map_err(to_python)?;
        Ok(borrowed.into_handle())
    })
}

unsafe extern "C" fn zeros(dtype: i32, rank: i32, shape: *const i64) -> *mut Handle {
    enter(ptr::null_mut(), |py| {
        let dtype = dtype_of(dtype)?;
        let sizes = match usize::try_from(rank).unwrap_or(0) {
            0 => &[],
            // SAFETY: the caller's sizes, as many as the rank.
            rank => unsafe { slice::from_raw_parts(shape, rank) },
        };
        let size = |&size: &i64| {
            let negative =
                || PyValueError::new_err(format!("the size {size} of a dimension is negative"));
            usize::try_from(size).map_err(|_| negative())
        };
        let sizes = sizes.iter().map(size).collect::<PyResult<Vec<_>>>()?;
        let bytes = shape::bytes(&sizes, dtype).map_err(to_python)?;
        let block = py.detach(|| Block::zeroed(bytes, MemoryKind::Managed));
        let buffer = Buffer::over(block.map_err(to_python)?, dtype, sizes, bytes);
        let argument = Argument::from(buffer.array());
        let borrowed = BorrowedArray {
            object: array_of(&Bound::new(py, buffer)?)?.into(),
            argument,
            name: "array".to_owned(),
            role: Role::InOut,
        };
        Ok(borrowed.into_handle())
    })
}

unsafe extern "C" fn object(array: *const Handle) -> *mut ffi::PyObject {
    enter(ptr::null_mut(), |py| {
        // SAFETY: the caller's array.
        let borrowed = unsafe { &(*array).borrowed };
        Ok(borrowed.object.bind(py).to_owned().into_ptr())
    })
}

unsafe extern "C" fn release(array: *mut Handle) {
    if array.is_null() {
        return;
    }
    // With an interpreter that is no more, memory is nobody's business.
    let _ = Python::try_attach(|py| {
        keeping_exception(py, || {
            // SAFETY: the array is the caller's, who gives it back.
            let release = AssertUnwindSafe(|| unsafe { drop(Box::from_raw(array)) });
            let _ = panic::catch_unwind(release);
        });
    });
}

/// Bodies to enter, and their context.
struct Bodies {
    cpu: Option<Body>,
    gpu: Option<Body>,
    context: *mut c_void,
}

// SAFETY: the thread stays the same, only the GIL is released.
unsafe impl Send for Bodies {}
// SAFETY: one thread enters a body, while the others wait for it.
unsafe impl Sync for Bodies {}

impl Bodies {
    /// Runs one of them; its status is also put apart.
    fn run(
        &self,
        arrays: &[Operand],
        stream: Option<Stream>,
        code: &mut c_int,
    ) -> cuvec_core::Result<()> {
        let mut enter = |call: *mut c::Call, values: *const Value| {
            // SAFETY: the core sets a stream for a body of the GPU, and for no other.
            let on_gpu = !unsafe { (*call).stream }.is_null();
            let body = if on_gpu { self.gpu } else { self.cpu };
            // SAFETY: the arrays are as the caller has asked for, who says what bodies do.
            *code = body.map_or(-1, |body| {
                finalization::outlive(|| unsafe { body(call, values, self.context) })
            });
            *code
        };
        // SAFETY: the caller of the C interface says what its bodies do with such arrays.
        unsafe { undeclared::run(arrays, stream, self.gpu.is_some(), &mut enter) }
    }
}

unsafe extern "C" fn run(
    function: *const c_char,
    stream: *mut ffi::PyObject,
    arrays: *const *const Handle,
    n: i32,
    cpu: Option<Body>,
    gpu: Option<Body>,
    context: *mut c_void,
) -> c_int {
    enter(-1, |py| {
        // SAFETY: the caller's name, arrays and stream.
        let (function, arrays, stream) = unsafe {
            let arrays = match usize::try_from(n).unwrap_or(0) {
                0 => &[],
                count => slice::from_raw_parts(arrays, count),
            };
            // Whoever releases one meanwhile does not take it away.
            let borrowed = arrays.iter().map(|&array| (*array).borrowed.clone());
            let stream = Bound::from_borrowed_ptr_or_opt(py, stream);
            (text(function), borrowed.collect::<Vec<_>>(), stream)
        };
        if cpu.is_none() {
            return Err(PyValueError::new_err(format!(
                "{function}() has no body for the CPU"
            )));
        }
        let stream = stream.filter(|stream| !stream.is_none());
        let stream = StreamArgument::read(stream.as_ref())?;
        let given: Vec<_> = arrays.iter().map(|borrowed| borrowed.given()).collect();
        if stream.is_none() {
            stream::refuse_foreign_capture(py, given.iter().map(|given| given.array))?;
        }
        let bodies = Bodies { cpu, gpu, context };
        let mut code = 0;
        let outcome = py.detach(|| bodies.run(&given, stream, &mut code));
        argument::release_done(py);
        match outcome {
            Ok(()) => {}
            Err(_) if code < 0 => return Ok(code),
            Err(error) if code > 0 && code != Status::Interrupted.code() => {
                return Err(status_error(code, format!("{function}(): {error}")));
            }
            Err(error) => return Err(to_python(error)),
        }
        if let Some(stream) = stream {
            retain(stream, arrays)?;
        }
        Ok(0)
    })
}

/// Retains what the GPU may still use and its owner knows nothing of.
fn retain(stream: Stream, arrays: Vec<Arc<BorrowedArray>>) -> PyResult<()> {
    let may_be_reused = |it: &Arc<BorrowedArray>| it.argument.array.may_be_reused(stream);
    let arrays: Vec<_> = arrays.into_iter().filter(may_be_reused).collect();
    match arrays.first().and_then(|first| first.argument.array.gpu()) {
        Some(gpu) => argument::retain(stream, gpu, Box::new(arrays)),
        None => Ok(()),
    }
}

unsafe extern "C" fn call(
    function: *const c_char,
    arguments: *mut ffi::PyObject,
    keywords: *mut ffi::PyObject,
) -> *mut ffi::PyObject {
    enter(ptr::null_mut(), |py| {
        // SAFETY: the caller's name and objects.
        let (name, arguments, keywords) = unsafe {
            (
                text(function),
                Bound::from_borrowed_ptr_or_opt(py, arguments),
                Bound::from_borrowed_ptr_or_opt(py, keywords),
            )
        };
        let functions = FUNCTIONS.get().expect("set before there is a capsule");
        let functions = functions.bind(py);
        let function = finalization::value_of(functions, &name)?.ok_or_else(|| {
            let names = functions.keys();
            PyAttributeError::new_err(format!("there is no function {name}; there are {names}"))
        })?;
        let arguments = match arguments {
            Some(arguments) => arguments.cast_into::<PyTuple>()?,
            None => PyTuple::empty(py),
        };
        let keywords = keywords.map(Bound::cast_into::<PyDict>).transpose()?;
        Ok(finalization::call(&function, &arguments, keywords.as_ref())?.into_ptr())
    })
}

unsafe extern "C" fn current_device() -> i32 {
    enter(-2, |py| {
        match py.detach(device::current).map_err(to_python)? {
            Device::Gpu(gpu) => Ok(gpu.index as i32),
            Device::Cpu => Ok(-1),
        }
    })
}

unsafe extern "C" fn check_signals() -> c_int {
    enter(-1, |py| match finalization::check_signals(py) {
        false => Ok(0),
        true => Err(PyErr::fetch(py)),
    })
}

unsafe extern "C" fn set_error(status: i32, message: *const c_char) -> c_int {
    // SAFETY: the caller's message.
    enter(-1, |_py| {
        Err(status_error(status, unsafe { text(message) }.into_owned()))
    })
}

extern "C" fn set_threads(threads: i32) -> i32 {
    let before = parallel::set_limit(threads.try_into().unwrap_or(0));
    before.try_into().unwrap_or(0)
}

/// The exception of a `cuvec_status`.
fn status_error(status: i32, message: String) -> PyErr {
    match Status::of(status) {
        Some(Status::Type) => PyTypeError::new_err(message),
        Some(Status::Value) => PyValueError::new_err(message),
        Some(Status::Overflow) => PyOverflowError::new_err(message),
        Some(Status::Memory) => PyMemoryError::new_err(message),
        Some(Status::Interrupted) => PyKeyboardInterrupt::new_err(message),
        Some(Status::Runtime) | None => PyRuntimeError::new_err(message),
    }
}
