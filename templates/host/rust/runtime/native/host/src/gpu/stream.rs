//! Streams: a caller's own, and one for each thread that names none.

use std::cell::RefCell;
use std::sync::Arc;

use cudarc::driver::CudaStream;

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

    /// Lets the thread's stream wait for everything that is on `other` now.
    pub fn order_after(&self, other: Stream) -> Result<()> {
        let _current = self.enter()?;
        Ok(self.thread_stream()?.join(&self.foreign_stream(other))?)
    }

    pub(crate) fn foreign_stream(&self, stream: Stream) -> Arc<CudaStream> {
        // SAFETY: the caller vouches for the handle; nothing keeps the wrapper after the call.
        unsafe { self.context().wrap_borrowed_stream(stream.0 as _) }
    }
}
