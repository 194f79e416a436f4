//! Threads that carry large arrays between the GPU and host memory that CUDA does not know.
//!
//! CUDA copies such memory on one thread and takes several times as long as the bus needs. Here
//! every thread has two pinned buffers: while one is on the bus, it copies to or from the other.

use std::slice;
use std::sync::{Arc, Mutex, PoisonError};

use cudarc::driver::{CudaEvent, result, sys::CUdeviceptr};

use crate::error::Result;
use crate::gpu::Gpu;
use crate::gpu::stream::Stream;
use crate::memory::{Block, MemoryKind};
use crate::parallel;

/// As many as can use the bus at once. More would block each other.
const ENOUGH: usize = 8;

/// Bytes of a chunk. Large ones cost less, but there must be some for every carrier.
const SMALLEST: usize = 256 << 10;
const LARGEST: usize = 1 << 20;

fn chunk_of(bytes: usize) -> usize {
    (bytes / ENOUGH).clamp(SMALLEST, LARGEST)
}

/// The carriers of a call, one for each thread. The stream must be synchronized before they
/// are dropped: transfers use their buffers until then.
#[derive(Default)]
pub struct Carriers([Carrier; ENOUGH]);

impl Carriers {
    /// Copies host memory to the GPU, ordered on `stream`. On return `from` has been read.
    ///
    /// # Safety
    /// `to` must be the address of at least as many bytes on this GPU as `from` has.
    pub unsafe fn upload(
        &mut self,
        gpu: &Gpu,
        stream: Stream,
        from: &[u8],
        to: CUdeviceptr,
    ) -> Result<()> {
        let size = chunk_of(from.len());
        self.run(gpu, from.chunks(size).enumerate(), |carrier, take| {
            while let Some((index, from)) = take() {
                // SAFETY: `to` is long enough for the chunk.
                unsafe { carrier.upload(gpu, stream, from, to + (index * size) as u64) }?;
            }
            Ok(())
        })
    }

    /// Copies GPU memory to the host after all work on `stream`. On return `to` is complete.
    ///
    /// # Safety
    /// `from` must be the address of at least as many bytes on this GPU as `to` has.
    pub unsafe fn download(
        &mut self,
        gpu: &Gpu,
        stream: Stream,
        from: CUdeviceptr,
        to: &mut [u8],
    ) -> Result<()> {
        let size = chunk_of(to.len());
        self.run(gpu, to.chunks_mut(size).enumerate(), |carrier, take| {
            let fetch = |carrier: &mut Carrier| {
                let chunk = take().map(|(index, to)| (from + (index * size) as u64, to));
                // SAFETY: `from` holds the chunk.
                let fetch = |(from, to)| unsafe { carrier.fetch(gpu, stream, from, to) };
                chunk.map(fetch).transpose()
            };
            let mut coming = fetch(carrier)?;
            while let Some(fetched) = coming {
                coming = fetch(carrier)?;
                fetched.deliver()?;
            }
            Ok(())
        })
    }

    /// Calls `work` on several threads, each with a carrier of its own and a function that takes
    /// the next of the chunks.
    fn run<C: ExactSizeIterator + Send>(
        &mut self,
        gpu: &Gpu,
        chunks: C,
        work: impl Fn(&mut Carrier, &dyn Fn() -> Option<C::Item>) -> Result<()> + Sync,
    ) -> Result<()> {
        let threads = chunks.len().min(parallel::count()).min(ENOUGH);
        let chunks = Mutex::new(chunks);
        let take = || chunks.lock().unwrap_or_else(PoisonError::into_inner).next();
        let outcome = Mutex::new(Ok(()));
        let carriers = self.0.each_mut().map(Mutex::new); // each for the one thread that takes it
        parallel::run(threads, |index| {
            let mut carrier = carriers[index]
                .lock()
                .unwrap_or_else(PoisonError::into_inner);
            let worked = gpu.enter().and_then(|_current| work(&mut carrier, &take));
            if worked.is_err() {
                *outcome.lock().unwrap_or_else(PoisonError::into_inner) = worked;
            }
        });
        outcome.into_inner().unwrap_or_else(PoisonError::into_inner)
    }
}

/// The buffers of a thread, which it uses in turns. They are made when they are needed.
#[derive(Default)]
struct Carrier {
    buffers: [Option<Arc<Buffer>>; 2],
    turn: usize,
}

struct Buffer {
    block: Arc<Block>,
    /// The end of the last transfer that uses it.
    transferred: CudaEvent,
}

/// A chunk on its way from the GPU.
struct Fetched<'a> {
    buffer: Arc<Buffer>,
    to: &'a mut [u8],
}

impl Carrier {
    /// The buffer whose turn it is.
    fn next(&mut self, gpu: &Gpu) -> Result<Arc<Buffer>> {
        self.turn = (self.turn + 1) % self.buffers.len();
        let buffer = match &mut self.buffers[self.turn] {
            Some(buffer) => buffer,
            empty => empty.insert(Arc::new(Buffer::new(gpu)?)),
        };
        Ok(buffer.clone())
    }

    /// # Safety
    /// `to` must be the address of at least as many bytes on this GPU as `from` has.
    unsafe fn upload(
        &mut self,
        gpu: &Gpu,
        stream: Stream,
        from: &[u8],
        to: CUdeviceptr,
    ) -> Result<()> {
        let buffer = self.next(gpu)?;
        buffer.transferred.synchronize()?;
        // SAFETY: the caller's; the buffer stays until the stream is synchronized.
        unsafe {
            let bytes = buffer.bytes(from.len());
            bytes.copy_from_slice(from);
            result::memcpy_htod_async(to, bytes, stream.raw())?;
        }
        stream.record(&buffer.transferred)
    }

    /// Starts the transfer of a chunk.
    ///
    /// # Safety
    /// `from` must be the address of at least as many bytes on this GPU as `to` has.
    unsafe fn fetch<'a>(
        &mut self,
        gpu: &Gpu,
        stream: Stream,
        from: CUdeviceptr,
        to: &'a mut [u8],
    ) -> Result<Fetched<'a>> {
        let buffer = self.next(gpu)?;
        // SAFETY: the caller's; the buffer stays until the stream is synchronized.
        unsafe {
            result::memcpy_dtoh_async(buffer.bytes(to.len()), from, stream.raw())?;
        }
        stream.record(&buffer.transferred)?;
        Ok(Fetched { buffer, to })
    }
}

impl Fetched<'_> {
    fn deliver(self) -> Result<()> {
        self.buffer.transferred.synchronize()?;
        // SAFETY: the transfer has ended.
        self.to
            .copy_from_slice(unsafe { self.buffer.bytes(self.to.len()) });
        Ok(())
    }
}

impl Buffer {
    fn new(gpu: &Gpu) -> Result<Self> {
        Ok(Self {
            block: Block::allocate_on(gpu, LARGEST, MemoryKind::Pinned)?,
            transferred: gpu.context().new_event(None)?,
        })
    }

    /// The first `len` bytes.
    ///
    /// # Safety
    /// `len` must not be more than `LARGEST`, and nothing else may use the bytes meanwhile.
    #[allow(clippy::mut_from_ref)] // the caller's to see to
    unsafe fn bytes(&self, len: usize) -> &mut [u8] {
        // SAFETY: the block is that long; the caller's.
        unsafe { slice::from_raw_parts_mut(self.block.address() as *mut u8, len) }
    }
}
