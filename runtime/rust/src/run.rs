//! Bodies: work on the elements of arrays, where they are.

use std::any::Any;
use std::ffi::{CString, c_int, c_void};
use std::fmt::Display;
use std::panic::{self, AssertUnwindSafe};
use std::ptr;
use std::slice;
use std::sync::{Mutex, PoisonError};

use cuvec_spec::{Status, Value, c};
use pyo3::exceptions::PyRuntimeError;
use pyo3::prelude::*;

use crate::api::{Body, RawArray, api};
use crate::array::{Array, ArrayMut, zeros};
use crate::element::Element;

/// Why a body has ended early.
#[derive(Debug)]
pub enum Stop {
    /// A signal's handler has raised.
    Interrupted,
    Error(PyErr),
}

impl Stop {
    /// A RuntimeError with what C++ has thrown, for example.
    pub fn error(problem: impl Display) -> Self {
        Self::Error(PyRuntimeError::new_err(problem.to_string()))
    }
}

impl From<PyErr> for Stop {
    fn from(error: PyErr) -> Self {
        Self::Error(error)
    }
}

/// What the runtime provides to a body.
pub struct Call(*mut c::Call);

impl Call {
    /// For long loops on the thread of the call: ends the body after Ctrl-C.
    ///
    /// # Errors
    /// [`Stop::Interrupted`].
    pub fn check_interrupt(&mut self) -> Result<(), Stop> {
        // SAFETY: the core's call, on its thread.
        match unsafe { ((*self.0).interrupted)(self.0) } {
            0 => Ok(()),
            _ => Err(Stop::Interrupted),
        }
    }

    /// Runs `task(0)` to `task(tasks - 1)` on the threads of the CPU.
    ///
    /// # Errors
    /// [`Stop::Interrupted`]; some tasks have not run then.
    pub fn parallel(&mut self, tasks: usize, task: impl Fn(usize) + Sync) -> Result<(), Stop> {
        struct Shared<F>(F, Mutex<Option<Box<dyn Any + Send>>>);

        unsafe extern "C" fn one<F: Fn(usize) + Sync>(shared: *mut c_void, index: i64) {
            // SAFETY: what is passed below.
            let Shared(task, panic) = unsafe { &*shared.cast::<Shared<F>>() };
            if let Err(payload) = panic::catch_unwind(AssertUnwindSafe(|| task(index as usize))) {
                *panic.lock().unwrap_or_else(PoisonError::into_inner) = Some(payload);
            }
        }

        fn task_of<F: Fn(usize) + Sync>(_: &Shared<F>) -> c::Task {
            one::<F>
        }

        let shared = Shared(task, Mutex::new(None));
        let context = ptr::from_ref(&shared).cast_mut().cast();
        // SAFETY: the core's call; it is over with the tasks when it returns.
        let status =
            unsafe { ((*self.0).parallel)(self.0, tasks as i64, task_of(&shared), context) };
        let panicked = shared.1.into_inner();
        if let Some(payload) = panicked.unwrap_or_else(PoisonError::into_inner) {
            panic::resume_unwind(payload);
        }
        match status {
            0 => Ok(()),
            _ => Err(Stop::Interrupted),
        }
    }

    /// The `cudaStream_t` to work on; null on the CPU.
    #[must_use]
    pub fn stream(&self) -> *mut c_void {
        // SAFETY: the core's call.
        unsafe { (*self.0).stream }
    }

    /// The `cuvec_call`, for bodies in C++.
    pub fn as_raw(&mut self) -> *mut c_void {
        self.0.cast()
    }
}

/// An array that a body works on.
pub trait Argument {
    /// What a body on the CPU gets.
    type Slice<'a>;
    /// What a body on the GPU gets: an address there.
    type Pointer;

    fn raw(&self) -> *mut RawArray;

    /// # Safety
    /// The value must be that of the array, on the host, and of this argument alone.
    unsafe fn slice<'a>(value: &Value) -> Self::Slice<'a>;

    fn pointer(value: &Value) -> Self::Pointer;
}

/// The elements; an empty array may have no address.
fn parts<T>(value: &Value) -> (*mut T, usize) {
    match value.size {
        0 => (ptr::NonNull::dangling().as_ptr(), 0),
        size => (value.data.cast(), size as usize),
    }
}

impl<T: Element, const RANK: usize> Argument for &Array<T, RANK> {
    type Slice<'a> = &'a [T];
    type Pointer = *const T;

    fn raw(&self) -> *mut RawArray {
        Array::raw(self)
    }

    unsafe fn slice<'a>(value: &Value) -> &'a [T] {
        let (data, size) = parts::<T>(value);
        // SAFETY: the caller's.
        unsafe { slice::from_raw_parts(data, size) }
    }

    fn pointer(value: &Value) -> *const T {
        value.data.cast_const().cast()
    }
}

impl<T: Element, const RANK: usize> Argument for &ArrayMut<T, RANK> {
    type Slice<'a> = &'a mut [T];
    type Pointer = *mut T;

    fn raw(&self) -> *mut RawArray {
        ArrayMut::raw(self)
    }

    unsafe fn slice<'a>(value: &Value) -> &'a mut [T] {
        let (data, size) = parts::<T>(value);
        // SAFETY: the caller's.
        unsafe { slice::from_raw_parts_mut(data, size) }
    }

    fn pointer(value: &Value) -> *mut T {
        value.data.cast()
    }
}

/// A tuple of them.
pub trait Arguments {
    type Slices<'a>;
    type Pointers;

    fn raw(&self) -> Vec<*mut RawArray>;

    /// # Safety
    /// As for [`Argument::slice`], of each.
    unsafe fn slices<'a>(values: *const Value) -> Self::Slices<'a>;

    /// # Safety
    /// There must be a value for each.
    unsafe fn pointers(values: *const Value) -> Self::Pointers;
}

macro_rules! arguments {
    ($($type:ident $index:tt),*) => {
        impl<$($type: Argument),*> Arguments for ($($type,)*) {
            type Slices<'a> = ($($type::Slice<'a>,)*);
            type Pointers = ($($type::Pointer,)*);

            fn raw(&self) -> Vec<*mut RawArray> {
                vec![$(self.$index.raw()),*]
            }

            unsafe fn slices<'a>(values: *const Value) -> Self::Slices<'a> {
                // SAFETY: the caller's.
                unsafe { ($($type::slice(&*values.add($index)),)*) }
            }

            unsafe fn pointers(values: *const Value) -> Self::Pointers {
                // SAFETY: the caller's.
                unsafe { ($($type::pointer(&*values.add($index)),)*) }
            }
        }
    };
}

arguments!(A 0);
arguments!(A 0, B 1);
arguments!(A 0, B 1, C 2);
arguments!(A 0, B 1, C 2, D 3);
arguments!(A 0, B 1, C 2, D 3, E 4);
arguments!(A 0, B 1, C 2, D 3, E 4, F 5);

/// Runs a body on the CPU, as that of a declared function: without the GIL, after everything that the
/// arrays wait for and that is on the stream. What only a GPU has is copied to the host and back.
///
/// # Errors
/// What the body returns; a ValueError where an array that is written overlaps another.
pub fn run<A, F, R>(
    py: Python<'_>,
    function: &str,
    stream: Option<&Bound<'_, PyAny>>,
    arrays: A,
    cpu: F,
) -> PyResult<R>
where
    A: Arguments,
    F: for<'a> FnOnce(&mut Call, A::Slices<'a>) -> Result<R, Stop> + Send,
    R: Send,
{
    let context = Context {
        cpu: Some(cpu),
        gpu: None::<()>,
        outcome: None,
    };
    let bodies = (on_cpu::<A, F, (), R> as Body, None);
    enter(py, function, stream, &arrays, context, bodies)
}

/// The same with a body for the GPU, unless the code is built without CUDA, which is run there if there
/// is one: it starts work on [`Call::stream`], and does not wait for it.
///
/// # Safety
/// The body for the GPU must start no work but on that stream, and none that goes beyond the arrays.
///
/// # Errors
/// As for [`run`].
pub unsafe fn run_on_gpu<A, F, G, R>(
    py: Python<'_>,
    function: &str,
    stream: Option<&Bound<'_, PyAny>>,
    arrays: A,
    cpu: F,
    gpu: Option<G>,
) -> PyResult<R>
where
    A: Arguments,
    F: for<'a> FnOnce(&mut Call, A::Slices<'a>) -> Result<R, Stop> + Send,
    G: FnOnce(&mut Call, A::Pointers) -> Result<R, Stop> + Send,
    R: Send,
{
    let on_gpu = gpu.as_ref().map(|_| on_gpu::<A, F, G, R> as Body);
    let context = Context {
        cpu: Some(cpu),
        gpu,
        outcome: None,
    };
    let bodies = (on_cpu::<A, F, G, R> as Body, on_gpu);
    enter(py, function, stream, &arrays, context, bodies)
}

/// The same with one body, which gets addresses on the CPU too: it looks at [`Call::stream`]. Without
/// `has_gpu`, in code that is built without CUDA, it is run on the CPU alone.
///
/// # Safety
/// As for [`run_on_gpu`]; on the CPU it must not go beyond the arrays either.
///
/// # Errors
/// As for [`run`].
pub unsafe fn run_on_either<A, F, R>(
    py: Python<'_>,
    function: &str,
    stream: Option<&Bound<'_, PyAny>>,
    arrays: A,
    has_gpu: bool,
    body: F,
) -> PyResult<R>
where
    A: Arguments,
    F: FnOnce(&mut Call, A::Pointers) -> Result<R, Stop> + Send,
    R: Send,
{
    let context = Context {
        cpu: None::<()>,
        gpu: Some(body),
        outcome: None,
    };
    let body: Body = on_gpu::<A, (), F, R>;
    let bodies = (body, has_gpu.then_some(body));
    enter(py, function, stream, &arrays, context, bodies)
}

/// A new CuVec: what the function gives for each index.
///
/// # Errors
/// As for [`zeros`].
pub fn from_fn<T, F>(py: Python<'_>, n: i64, mut element: F) -> PyResult<ArrayMut<T>>
where
    T: Element,
    F: FnMut(usize) -> T + Send,
{
    let array = zeros(py, [n])?;
    run(py, "from_fn", None, (&array,), move |_call, (elements,)| {
        for (i, place) in elements.iter_mut().enumerate() {
            *place = element(i);
        }
        Ok(())
    })?;
    Ok(array)
}

/// What waits for a body, and for which its outcome waits.
struct Context<F, G, R> {
    cpu: Option<F>,
    gpu: Option<G>,
    outcome: Option<std::thread::Result<Result<R, Stop>>>,
}

impl<F, G, R> Context<F, G, R> {
    /// Runs it; a panic does not pass the C interface.
    fn run(&mut self, body: impl FnOnce() -> Result<R, Stop>) -> c_int {
        let outcome = panic::catch_unwind(AssertUnwindSafe(body));
        let status = match &outcome {
            Ok(Ok(_)) => 0,
            Ok(Err(Stop::Interrupted)) => Status::Interrupted.code(),
            Ok(Err(Stop::Error(_))) | Err(_) => -2,
        };
        self.outcome = Some(outcome);
        status
    }
}

unsafe extern "C" fn on_cpu<A, F, G, R>(
    call: *mut c::Call,
    values: *const Value,
    context: *mut c_void,
) -> c_int
where
    A: Arguments,
    F: for<'a> FnOnce(&mut Call, A::Slices<'a>) -> Result<R, Stop>,
{
    // SAFETY: the context of this run, whose thread this is.
    let context = unsafe { &mut *context.cast::<Context<F, G, R>>() };
    let body = context.cpu.take().expect("a body runs once");
    // SAFETY: the core has the arrays on the host, and none that is written overlaps another.
    context.run(|| body(&mut Call(call), unsafe { A::slices(values) }))
}

unsafe extern "C" fn on_gpu<A, F, G, R>(
    call: *mut c::Call,
    values: *const Value,
    context: *mut c_void,
) -> c_int
where
    A: Arguments,
    G: FnOnce(&mut Call, A::Pointers) -> Result<R, Stop>,
{
    // SAFETY: as above.
    let context = unsafe { &mut *context.cast::<Context<F, G, R>>() };
    let body = context.gpu.take().expect("a body runs once");
    // SAFETY: there is a value for each array.
    context.run(|| body(&mut Call(call), unsafe { A::pointers(values) }))
}

/// Calls the core, which calls one of the bodies with the context.
fn enter<A: Arguments, F, G, R>(
    py: Python<'_>,
    function: &str,
    stream: Option<&Bound<'_, PyAny>>,
    arrays: &A,
    mut context: Context<F, G, R>,
    (on_cpu, on_gpu): (Body, Option<Body>),
) -> PyResult<R> {
    let (api, function, arrays) = (api()?, CString::new(function)?, arrays.raw());
    // SAFETY: the GIL is held; the arrays are borrowed, and what the bodies get is theirs.
    let status = unsafe {
        (api.run)(
            function.as_ptr(),
            stream.map_or(ptr::null_mut(), |stream| stream.as_ptr()),
            arrays.as_ptr(),
            arrays.len() as i32,
            Some(on_cpu),
            on_gpu,
            (&raw mut context).cast(),
        )
    };
    match (context.outcome, status) {
        (Some(Ok(Ok(result))), 0) => Ok(result),
        (Some(Ok(Err(Stop::Error(error)))), _) => Err(error),
        (Some(Err(payload)), _) => panic::resume_unwind(payload),
        _ => Err(PyErr::fetch(py)),
    }
}
