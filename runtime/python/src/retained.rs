//! Arrays of other libraries that the GPU still uses when a call has returned.

use cuvec_core::Stream;
use cuvec_core::retained::UntilDone;
use pyo3::prelude::*;

use crate::error::to_python;

/// Arrays of a call, with their objects. Their value is their destructor.
type Retained = Box<dyn Send>;

static ALL: UntilDone<Retained> = UntilDone::new();

/// Retains the arguments of a call on this stream and GPU, which has not been synchronized, until it is
/// over.
pub fn retain(stream: Stream, gpu: usize, arguments: Retained) -> PyResult<()> {
    let mark = cuvec_core::device::gpu(gpu).and_then(|gpu| gpu.mark(stream));
    ALL.add(vec![mark.map_err(to_python)?], arguments);
    Ok(())
}

/// Releases those whose calls are over. What is freed may run any code.
pub fn release_done(_py: Python<'_>) {
    ALL.release();
}
