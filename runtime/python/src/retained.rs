//! Arrays of other libraries that the GPU still uses when a call has returned.

use std::sync::atomic::{AtomicBool, Ordering::Relaxed};
use std::sync::{Mutex, PoisonError};

use cuvec_core::Stream;
use cuvec_core::until_done::UntilDone;
use pyo3::prelude::*;

use crate::error::to_python;

/// Arrays of a call, with their objects. Their value is their destructor.
type Retained = Box<dyn Send>;

type Done = Box<dyn Fn() -> bool + Send>;

static ALL: Mutex<UntilDone<Done, Retained>> = Mutex::new(UntilDone::new());

/// Mostly there is nothing, and nobody takes the lock.
static ANY: AtomicBool = AtomicBool::new(false);

/// Retains the arguments of a call on this stream and GPU, which has not been synchronized, until it is
/// over.
pub fn retain(stream: Stream, gpu: usize, arguments: Retained) -> PyResult<()> {
    let mark = cuvec_core::device::gpu(gpu).and_then(|gpu| gpu.mark(stream));
    let mark = mark.map_err(to_python)?;
    let mut all = ALL.lock().unwrap_or_else(PoisonError::into_inner);
    all.add(mark.order(), Box::new(move || mark.has_passed()), arguments);
    ANY.store(true, Relaxed);
    Ok(())
}

/// Releases those whose calls are over. What is freed may run any code.
pub fn release_done(_py: Python<'_>) {
    if ANY.load(Relaxed) {
        let mut all = ALL.lock().unwrap_or_else(PoisonError::into_inner);
        let over = all.take();
        ANY.store(!all.is_empty(), Relaxed);
        drop(all); // first: what is freed may call functions
        drop(over);
    }
}
