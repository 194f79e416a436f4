//! Services that a body gets besides its arrays, and how it ends.

use std::any::Any;
use std::ffi::c_void;
use std::fmt::Display;
use std::panic::{self, AssertUnwindSafe};
use std::ptr;
use std::sync::{Mutex, PoisonError};

use cuvec_spec::c;
use pyo3::exceptions::PyRuntimeError;
use pyo3::prelude::*;

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
