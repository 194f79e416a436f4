//! Streams, which mostly belong to somebody else.

use cudarc::driver::{CudaEvent, result, sys};

use crate::error::Result;

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
