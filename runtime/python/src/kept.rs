//! Arrays of other libraries that the GPU still uses when a call has returned.

use std::sync::atomic::{AtomicBool, Ordering::Relaxed};
use std::sync::{Arc, Mutex, PoisonError};

use cuvec_core::Stream;
use cuvec_core::until_done::UntilDone;
use pyo3::prelude::*;

use crate::api::Borrowed;
use crate::argument::Argument;
use crate::error::to_python;

/// An array of a call, with its object. Its value is its destructor.
#[expect(dead_code)]
pub enum Kept {
    Argument(Py<PyAny>, Argument),
    Borrowed(Arc<Borrowed>),
}

type Done = Box<dyn Fn() -> bool + Send>;

static ALL: Mutex<UntilDone<Done, Vec<Kept>>> = Mutex::new(UntilDone::new());

/// Mostly there is nothing, and nobody takes the lock.
static ANY: AtomicBool = AtomicBool::new(false);

/// Keeps the arguments of a call on this stream and GPU, which has not been waited for, until it is
/// over.
pub fn keep(stream: Stream, gpu: usize, arguments: Vec<Kept>) -> PyResult<()> {
    let mark = cuvec_core::device::gpu(gpu).and_then(|gpu| gpu.mark(stream));
    let mark = mark.map_err(to_python)?;
    let mut all = ALL.lock().unwrap_or_else(PoisonError::into_inner);
    all.add(mark.order(), Box::new(move || mark.has_passed()), arguments);
    ANY.store(true, Relaxed);
    Ok(())
}

/// Lets go of those whose calls are over. What is freed may run any code.
pub fn let_go(_py: Python<'_>) {
    if ANY.load(Relaxed) {
        let mut all = ALL.lock().unwrap_or_else(PoisonError::into_inner);
        let over = all.take();
        ANY.store(!all.is_empty(), Relaxed);
        drop(all); // first: what is freed may call functions
        drop(over);
    }
}
