//! Streams: a caller's own, and one for each thread that names none.

use std::cell::RefCell;
use std::sync::Arc;

use cudarc::driver::{CudaEvent, CudaStream, result, sys};

use super::Gpu;
use super::graph::{Graph, not_on_its_stream};
use crate::error::Result;
use crate::memory::held::Life;

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
        let on = self.foreign_stream(stream);
        let point = match Graph::of(&on)? {
            Some(graph) => Point::End(graph.life()?),
            None => Point::Event(on.record_event(None)?),
        };
        Ok(Mark {
            gpu: self,
            stream,
            point: Some(point),
        })
    }

    /// Refuses a call without `stream=` while a graph is recorded on what is another library's
    /// current stream: it would run now, and be no part of the graph.
    ///
    /// # Errors
    /// `Error::Unavailable`.
    pub fn refuse_beside(&self, stream: Stream) -> Result<()> {
        if stream.0 <= Stream::LEGACY_DEFAULT.0 {
            return Ok(()); // which records nothing
        }
        let _current = self.enter()?;
        match is_recording(&self.foreign_stream(stream))? {
            true => Err(not_on_its_stream()),
            false => Ok(()),
        }
    }

    pub(crate) fn foreign_stream(&self, stream: Stream) -> Arc<CudaStream> {
        // SAFETY: the caller vouches for the handle; nothing keeps the wrapper after the call.
        unsafe { self.context().wrap_borrowed_stream(stream.0 as _) }
    }
}

/// A point on a stream. While its work becomes part of a graph that is the graph's end.
pub struct Mark {
    gpu: &'static Gpu,
    stream: Stream,
    point: Option<Point>,
}

enum Point {
    Event(CudaEvent),
    End(Life),
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
        self.point.as_ref().is_none_or(|point| match point {
            Point::Event(event) => {
                let passed: Result<bool> = passed(event);
                passed.unwrap_or(true)
            }
            Point::End(life) => life.is_over(),
        })
    }

    /// The stream, or another number for a graph: marks of one number are passed in their order.
    #[must_use]
    pub fn order(&self) -> Stream {
        match &self.point {
            Some(Point::End(life)) => Stream(life.number()),
            _ => self.stream,
        }
    }
}

impl Drop for Mark {
    fn drop(&mut self) {
        // cudarc makes its own context the current one, and this may be any thread.
        let _current = self.gpu.enter();
        self.point.take();
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
