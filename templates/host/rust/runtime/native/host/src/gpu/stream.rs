//! Streams: a caller's own, and one for each thread that names none.

use std::cell::RefCell;
use std::sync::Arc;

use cudarc::driver::{CudaEvent, CudaStream, result, sys};

use super::Gpu;
use crate::error::Result;

/// A stream that belongs to somebody else, by its `CUstream` handle.
///
/// 0 and 1 are the legacy default stream, 2 is the calling thread's default stream.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Stream(pub usize);

impl Stream {
    pub const LEGACY_DEFAULT: Self = Self(1);
}

thread_local! {
    /// This thread's stream of every GPU, by index.
    static STREAMS: RefCell<Vec<Option<Arc<CudaStream>>>> = const { RefCell::new(Vec::new()) };
}

impl Gpu {
    /// The calling thread's own stream, so that threads do not wait for each other.
    pub fn thread_stream(&self) -> Result<Arc<CudaStream>> {
        STREAMS.with_borrow_mut(|streams| {
            if streams.len() <= self.index {
                streams.resize(self.index + 1, None);
            }
            let slot = &mut streams[self.index];
            if slot.is_none() {
                let _current = self.enter()?; // cudarc makes its own context the current one
                *slot = Some(self.context().new_stream()?);
            }
            Ok(slot.clone().expect("just filled"))
        })
    }

    /// Marks what is on a stream now.
    pub fn mark(&'static self, stream: Stream) -> Result<Mark> {
        let _current = self.enter()?;
        let stream = self.foreign_stream(stream);
        let event = match is_recording(&stream)? {
            true => None,
            false => Some(stream.record_event(None)?),
        };
        Ok(Mark { gpu: self, event })
    }

    pub(crate) fn foreign_stream(&self, stream: Stream) -> Arc<CudaStream> {
        // SAFETY: the caller vouches for the handle; nothing keeps the wrapper after the call.
        unsafe { self.context().wrap_borrowed_stream(stream.0 as _) }
    }
}

/// A point on a stream; none while its work becomes part of a graph.
pub struct Mark {
    gpu: &'static Gpu,
    event: Option<CudaEvent>,
}

impl Mark {
    /// Whether everything before it has been done. After an error of CUDA's nothing is waited for
    /// any more.
    #[must_use]
    pub fn has_passed(&self) -> bool {
        let passed = |event: &CudaEvent| {
            let _current = self.gpu.enter()?;
            let _uncaptured = Uncaptured::new();
            Ok(event.try_is_complete()?)
        };
        self.event.as_ref().is_none_or(|event| {
            let passed: Result<bool> = passed(event);
            passed.unwrap_or(true)
        })
    }
}

impl Drop for Mark {
    fn drop(&mut self) {
        // cudarc makes its own context the current one, and this may be any thread.
        let _current = self.gpu.enter();
        self.event.take();
    }
}

/// Whether the stream's work becomes part of a CUDA graph.
pub(crate) fn is_recording(stream: &CudaStream) -> Result<bool> {
    // SAFETY: a live stream.
    let status = unsafe { result::stream::is_capturing(stream.cu_stream()) }?;
    Ok(status != sys::CUstreamCaptureStatus::CU_STREAM_CAPTURE_STATUS_NONE)
}

/// The thread may ask for events, even while one of its streams records a graph: that is not to
/// become a part of it.
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
