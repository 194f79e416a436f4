//! Streams, which mostly belong to somebody else, and points on them.

use cudarc::driver::sys::{self, CUevent, CUevent_flags, CUstream};
use cudarc::driver::{CudaEvent, result};

use crate::error::Result;
use crate::fork::Lock;

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

/// Events of each GPU that are not in use: to record one again takes less than to create one.
static FREE: Lock<Vec<OfGpu>> = Lock::new(Vec::new());

/// An event that is somebody's until it goes back.
struct Event(CUevent);

// SAFETY: the driver takes events from any thread.
unsafe impl Send for Event {}

#[derive(Default)]
struct OfGpu {
    /// With capacity for all that were made: to return one allocates nothing.
    free: Vec<Event>,
    made: usize,
}

/// An event that nobody uses; without one, there is capacity for a new one.
fn take(gpu: usize) -> Option<Event> {
    let mut all = FREE.lock();
    if all.len() <= gpu {
        all.resize_with(gpu + 1, OfGpu::default);
    }
    let OfGpu { free, made } = &mut all[gpu];
    let event = free.pop();
    if event.is_none() {
        *made += 1;
        free.reserve(*made);
    }
    event
}

/// The work that was on a stream at some time.
pub(crate) struct Recorded {
    gpu: usize,
    event: CUevent,
}

// SAFETY: the driver takes events from any thread.
unsafe impl Send for Recorded {}
// SAFETY: nothing of it changes.
unsafe impl Sync for Recorded {}

impl Recorded {
    /// Records what is on a stream now. The GPU, by its index, must be current.
    pub fn on(gpu: usize, stream: CUstream) -> Result<Self> {
        let event = match take(gpu) {
            Some(Event(event)) => event,
            None => result::event::create(CUevent_flags::CU_EVENT_DISABLE_TIMING)?,
        };
        let recorded = Self { gpu, event };
        // SAFETY: a live event, and a stream that the caller vouches for.
        unsafe { result::event::record(event, stream) }?;
        Ok(recorded)
    }

    /// Lets a stream wait for it.
    pub fn precede(&self, stream: CUstream) -> Result<()> {
        let flags = sys::CUevent_wait_flags::CU_EVENT_WAIT_DEFAULT;
        // SAFETY: a live event, and a stream that the caller vouches for.
        Ok(unsafe { result::stream::wait_event(stream, self.event, flags) }?)
    }

    /// Waits until it has been done.
    pub fn synchronize(&self) -> Result<()> {
        // SAFETY: a live event.
        Ok(unsafe { result::event::synchronize(self.event) }?)
    }

    /// Checks whether it has been done.
    pub fn has_passed(&self) -> Result<bool> {
        // SAFETY: a live event.
        match unsafe { result::event::query(self.event) } {
            Err(error) if error.0 == sys::CUresult::CUDA_ERROR_NOT_READY => Ok(false),
            answer => Ok(answer.map(|()| true)?),
        }
    }
}

impl Drop for Recorded {
    fn drop(&mut self) {
        FREE.lock()[self.gpu].free.push(Event(self.event)); // within its capacity
    }
}
