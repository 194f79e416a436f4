//! A stream for each thread that names none, and the order of streams.

use std::cell::RefCell;
use std::mem;
use std::sync::Arc;

use cudarc::driver::CudaStream;

use super::Gpu;
use super::capture::{WITHOUT_STREAM, cannot_synchronize, is_capturing};
use super::event::Recorded;
use super::stream::Stream;
use crate::error::Result;
use crate::fork;

thread_local! {
    static STREAMS: RefCell<Streams> = const { RefCell::new(Streams(Vec::new())) };
}

/// This thread's stream of every GPU, by index, and the number of forks before it was made.
struct Streams(Vec<Option<(usize, Arc<CudaStream>)>>);

impl Drop for Streams {
    /// In a forked process the streams are the parent's: CUDA must not be called to destroy them.
    fn drop(&mut self) {
        for (forks, stream) in self.0.drain(..).flatten() {
            if forks != fork::generation() {
                mem::forget(stream);
            }
        }
    }
}

impl Gpu {
    /// The calling thread's own stream, so that threads do not block each other. It lives as long
    /// as the thread.
    #[inline(never)]
    pub fn thread_stream(&self) -> Result<Stream> {
        STREAMS.with_borrow_mut(|Streams(streams)| {
            if streams.len() <= self.index {
                streams.resize(self.index + 1, None);
            }
            let slot = &mut streams[self.index];
            let stream = match slot {
                Some((_, stream)) => stream,
                empty => {
                    let _current = self.enter()?; // cudarc makes its own context the current one
                    let stream = self.context().new_stream()?;
                    &mut empty.insert((self.forks, stream)).1
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

    /// Refuses a call without `stream=` while a graph is captured on what is another library's
    /// current stream: it would run now, and be no part of the graph.
    ///
    /// # Errors
    /// `Kind::Unavailable`.
    pub fn refuse_foreign_capture(&self, stream: Stream) -> Result<()> {
        if stream == Stream::LEGACY_DEFAULT {
            return Ok(()); // which captures nothing
        }
        let _current = self.enter()?;
        match is_capturing(stream.raw())? {
            true => Err(cannot_synchronize(WITHOUT_STREAM)),
            false => Ok(()),
        }
    }
}
