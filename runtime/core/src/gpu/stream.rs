//! Streams: a caller's own, and one for each thread that names none.

use std::cell::RefCell;
use std::sync::Arc;

use cudarc::driver::{CudaEvent, CudaStream, result, sys};

use super::Gpu;
use super::event::Recorded;
use super::graph::{Graph, not_on_its_stream};
use crate::error::Result;
use crate::memory::held::Life;

/// A stream, by its `CUstream` handle: mostly one that belongs to somebody else.
///
/// 0 and 1 are the legacy default stream, 2 is the calling thread's default stream.
#[derive(Clone, Copy, Debug, Default, Eq)]
pub struct Stream(pub usize);

impl Stream {
    pub const LEGACY_DEFAULT: Self = Self(1);

    pub(crate) fn raw(self) -> sys::CUstream {
        self.0 as _
    }

    /// Records in an event what is on the stream now. Its GPU must be current.
    pub(crate) fn record(self, event: &CudaEvent) -> Result<()> {
        // SAFETY: a live event, and a stream that its owner vouches for.
        Ok(unsafe { result::event::record(event.cu_event(), self.raw()) }?)
    }
}

impl PartialEq for Stream {
    fn eq(&self, other: &Self) -> bool {
        self.0 == other.0 || (self.0 <= 1 && other.0 <= 1)
    }
}

thread_local! {
    /// This thread's stream of every GPU, by index.
    static STREAMS: RefCell<Vec<Option<Arc<CudaStream>>>> = const { RefCell::new(Vec::new()) };
}

impl Gpu {
    /// The calling thread's own stream, so that threads do not wait for each other. It lives as long
    /// as the thread.
    #[inline(never)]
    pub fn thread_stream(&self) -> Result<Stream> {
        STREAMS.with_borrow_mut(|streams| {
            if streams.len() <= self.index {
                streams.resize(self.index + 1, None);
            }
            let slot = &mut streams[self.index];
            let stream = match slot {
                Some(stream) => stream,
                empty => {
                    let _current = self.enter()?; // cudarc makes its own context the current one
                    empty.insert(self.context().new_stream()?)
                }
            };
            Ok(Stream(stream.cu_stream() as usize))
        })
    }

    /// Lets a stream wait for everything that is on another one now. This GPU must be current.
    pub(crate) fn join(&self, stream: Stream, other: Stream) -> Result<()> {
        let recorded = Recorded::on(self, other.raw())?;
        recorded.precede(stream.raw()) // who records it again changes nothing of this wait
    }

    /// Marks what is on a stream now.
    pub fn mark(&'static self, stream: Stream) -> Result<Mark> {
        let _current = self.enter()?;
        let point = match Graph::of(stream.raw())? {
            Some(graph) => Point::End(graph.life()?),
            None => Point::Event(Recorded::on(self, stream.raw())?),
        };
        Ok(Mark {
            gpu: self,
            stream,
            point,
        })
    }

    /// Refuses a call without `stream=` while a graph is recorded on what is another library's
    /// current stream: it would run now, and be no part of the graph.
    ///
    /// # Errors
    /// `Kind::Unavailable`.
    pub fn refuse_beside(&self, stream: Stream) -> Result<()> {
        if stream == Stream::LEGACY_DEFAULT {
            return Ok(()); // which records nothing
        }
        let _current = self.enter()?;
        match is_recording(stream.raw())? {
            true => Err(not_on_its_stream()),
            false => Ok(()),
        }
    }
}

/// A point on a stream. While its work becomes part of a graph that is the graph's end.
pub struct Mark {
    gpu: &'static Gpu,
    stream: Stream,
    point: Point,
}

enum Point {
    Event(Recorded),
    End(Life),
}

impl Mark {
    /// Whether everything before it has been done. After an error of CUDA's nothing is waited for
    /// any more.
    #[must_use]
    pub fn has_passed(&self) -> bool {
        let passed = |recorded: &Recorded| {
            let _current = self.gpu.enter()?;
            let _uncaptured = Uncaptured::new();
            recorded.has_passed()
        };
        match &self.point {
            Point::Event(recorded) => passed(recorded).unwrap_or(true),
            Point::End(life) => life.is_over(),
        }
    }

    /// The stream, or another number for a graph: marks of one number are passed in their order.
    #[must_use]
    pub fn order(&self) -> Stream {
        match &self.point {
            Point::End(life) => Stream(life.number()),
            Point::Event(_) => self.stream,
        }
    }
}

/// Whether the stream's work becomes part of a CUDA graph.
#[inline(never)]
pub(crate) fn is_recording(stream: sys::CUstream) -> Result<bool> {
    // SAFETY: a live stream.
    let status = unsafe { result::stream::is_capturing(stream) }?;
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
