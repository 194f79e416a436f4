//! A stream for each thread that names none, and how streams wait for each other.

use std::cell::RefCell;
use std::sync::Arc;

use cudarc::driver::CudaStream;

use super::Gpu;
use super::capture::{is_capturing, not_on_its_stream};
use super::event::Recorded;
use super::stream::Stream;
use crate::error::Result;

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
        match is_capturing(stream.raw())? {
            true => Err(not_on_its_stream()),
            false => Ok(()),
        }
    }
}
