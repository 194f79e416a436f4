//! An array argument.

use cuvec_core::retained::UntilDone;
use cuvec_core::{Array, Stream};
use pyo3::prelude::*;

use crate::error::to_python;
use crate::finalization::Kept;

/// An array argument, valid during the call.
pub struct Argument {
    pub array: Array,
    /// Memory that an exporter handed out for this call and takes back after it.
    pub borrowed: Option<Backing>,
}

/// Owner of an argument's memory for the call. Its value is its destructor.
pub enum Backing {
    /// Memory that the caller owns: [`StreamCache::may_borrow`].
    FromCaller,
    Dlpack(#[expect(dead_code)] crate::dlpack::capsule::Owner),
    Block(std::sync::Arc<cuvec_core::Block>),
    Memory(#[expect(dead_code)] crate::numpy::RetainedMemory),
    Object(#[expect(dead_code)] Kept),
}

impl Argument {
    pub fn with(array: Array, borrowed: Backing) -> Self {
        Self {
            array,
            borrowed: Some(borrowed),
        }
    }

    /// Checks whether only the caller owns the array.
    pub fn is_borrowed(&self) -> bool {
        matches!(self.borrowed, Some(Backing::FromCaller))
    }
}

impl From<Array> for Argument {
    fn from(array: Array) -> Self {
        Self {
            array,
            borrowed: None,
        }
    }
}

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
