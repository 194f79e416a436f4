//! Streams that capture a CUDA graph: how to ask, and the errors of calls that cannot be part of one.

use cudarc::driver::{result, sys};

use crate::error::{Error, Kind, Result};

/// Checks whether the stream's work becomes part of a CUDA graph.
#[inline(never)]
pub(crate) fn is_capturing(stream: sys::CUstream) -> Result<bool> {
    // SAFETY: a live stream.
    let status = unsafe { result::stream::is_capturing(stream) }?;
    Ok(status != sys::CUstreamCaptureStatus::CU_STREAM_CAPTURE_STATUS_NONE)
}

/// The thread may query events, even while one of its streams captures a graph: that is not to become
/// a part of it.
pub(crate) struct Uncaptured(sys::CUstreamCaptureMode);

impl Uncaptured {
    pub(crate) fn new() -> Self {
        let mut this = Self(sys::CUstreamCaptureMode::CU_STREAM_CAPTURE_MODE_RELAXED);
        this.exchange();
        this
    }

    fn exchange(&mut self) {
        // SAFETY: a mode, which the driver exchanges for the thread's.
        let _ = unsafe { sys::cuThreadExchangeStreamCaptureMode(&raw mut self.0) };
    }
}

impl Drop for Uncaptured {
    fn drop(&mut self) {
        self.exchange();
    }
}

/// The error of a call that would have to synchronize with what is only captured.
#[cold]
pub(crate) fn cannot_synchronize(way_out: &str) -> Error {
    Kind::Unavailable(format!(
        "a CUDA graph is being captured, and no call can wait for it: {way_out}"
    ))
    .into()
}

// Ways out: for a call that returns scalars, for one that finds how large a result is, for one with arrays in memory of the host, for one without
// `stream=`, for a constructor, and for a function that works on the CPU.
pub(crate) const FOR_SCALARS: &str = "pass an array for each scalar with `out=`";
pub(crate) const FOR_COUNTS: &str = "call what finds the size of its result before or after";
pub(crate) const FOR_HOST_ARRAYS: &str =
    "pass arrays that the GPU can use, such as `cuvec.asarray` makes";
pub(crate) const WITHOUT_STREAM: &str = "pass `stream=`, the stream that records it";
pub(crate) const FOR_OBJECTS: &str = "make objects before";
pub(crate) const ON_THE_CPU: &str = "call what works on the CPU before or after";
