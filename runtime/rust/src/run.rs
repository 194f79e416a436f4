//! Runs bodies: work on the elements of arrays, where they are.

use std::any::Any;
use std::ffi::{CString, c_int, c_void};
use std::fmt::Display;
use std::panic::{self, AssertUnwindSafe};
use std::ptr;
use std::sync::{Mutex, PoisonError};

use cuvec_spec::{Status, Value, c};
use pyo3::exceptions::PyRuntimeError;
use pyo3::prelude::*;

use crate::api::{Body, api};
use crate::argument::Arguments;

/// Runs a body on the CPU, like a declared function's: without the GIL, after everything that the arrays wait for and that is on the
/// stream. Arrays that only a GPU has are copied to the host and back. The body gets a slice for an array, `&x`, and a tuple of slices for a
/// tuple of arrays. Messages call it `function`.
///
/// ```no_run
/// # use cuvec::{Array, ArrayMut, Stream};
/// # use pyo3::prelude::*;
/// /// Add the array `x` to `y`, of the same length, in place.
/// #[pyfunction]
/// #[pyo3(signature = (x, y, stream = None))]
/// fn add(py: Python<'_>, x: Array<f64>, y: ArrayMut<f64>, stream: Stream<'_>) -> PyResult<()> {
///     cuvec::run(py, "add", stream.as_ref(), (&x, &y), |_call, (x, y)| {
///         y.iter_mut().zip(x).for_each(|(y, x)| *y += x);
///         Ok(())
///     })
/// }
/// # fn main() -> PyResult<()> {
/// #     Python::attach(|py| {
/// #         let x = cuvec::from_slice(py, &[1.0, 2.0])?;
/// #         let y = cuvec::from_slice(py, &[10.0, 20.0])?;
/// #         let add = wrap_pyfunction!(add, py)?;
/// #         add.call1((&x, &y))?;
/// #         assert_eq!(y.object(py).extract::<Vec<f64>>()?, [11.0, 22.0]);
/// #         let error = add.call1((&x, &x)).unwrap_err();
/// #         assert!(error.to_string().starts_with("ValueError: array and array overlap"));
/// #         Ok(())
/// #     })
/// # }
/// ```
///
/// # Errors
/// Errors of the body; a ValueError where an array that is written overlaps another.
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

/// The same with a second body, which runs on the GPU if there is one. It gets addresses there instead of slices, starts work on
/// [`Call::stream`] and does not wait for it. With `None`, as in a build without CUDA, the other one runs. Here cudarc starts the work:
///
/// ```no_run
/// # use cuvec::{ArrayMut, Call, Stop, Stream};
/// # use pyo3::prelude::*;
/// use cudarc::driver::result::memset_d8_async;
///
/// /// Set the elements of `x` to zero.
/// #[pyfunction]
/// #[pyo3(signature = (x, stream = None))]
/// fn clear(py: Python<'_>, x: ArrayMut<f32>, stream: Stream<'_>) -> PyResult<()> {
///     let bytes = x.len() * size_of::<f32>();
///     let cpu = |_call: &mut Call, x: &mut [f32]| {
///         x.fill(0.0);
///         Ok(())
///     };
///     let gpu = |call: &mut Call, x: *mut f32| {
///         // SAFETY: the array has so many bytes.
///         unsafe { memset_d8_async(x as u64, 0, bytes, call.stream().cast()) }.map_err(Stop::error)
///     };
///     // SAFETY: all work is on the stream of the call.
///     unsafe { cuvec::run_on_gpu(py, "clear", stream.as_ref(), &x, cpu, Some(gpu)) }
/// }
/// # fn main() -> PyResult<()> {
/// #     Python::attach(|py| {
/// #         let x = cuvec::from_slice(py, &[1.0_f32, 2.0])?;
/// #         wrap_pyfunction!(clear, py)?.call1((&x,))?;
/// #         assert_eq!(x.object(py).extract::<Vec<f32>>()?, [0.0, 0.0]);
/// #         Ok(())
/// #     })
/// # }
/// ```
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

/// The same with one body, which gets addresses on either side, and sees by [`Call::stream`] on which it is: for code in C++, for example. Without
/// `has_gpu`, as in a build without CUDA, it runs on the CPU alone.
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

/// Bodies that the core enters, and the outcome that it stores.
pub(crate) struct Context<F, G, R> {
    pub cpu: Option<F>,
    pub gpu: Option<G>,
    pub outcome: Option<std::thread::Result<Result<R, Stop>>>,
}

impl<F, G, R> Context<F, G, R> {
    /// Runs it; a panic does not pass the C interface.
    pub fn run(&mut self, body: impl FnOnce() -> Result<R, Stop>) -> c_int {
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
    // SAFETY: the context of this run, whose thread this is.
    let context = unsafe { &mut *context.cast::<Context<F, G, R>>() };
    let body = context.gpu.take().expect("a body runs once");
    // SAFETY: there is a value for each array.
    context.run(|| body(&mut Call(call), unsafe { A::pointers(values) }))
}

/// Calls the core, which calls one of the bodies with the context.
pub(crate) fn enter<A: Arguments, F, G, R>(
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

/// Why a body has ended early.
#[derive(Debug)]
pub enum Stop {
    /// A signal's handler has raised.
    Interrupted,
    /// Python's exception.
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

/// Services of the runtime for a body.
pub struct Call(pub(crate) *mut c::Call);

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
