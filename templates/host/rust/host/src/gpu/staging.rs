//! Copies between the GPU and host memory that CUDA does not know.
//!
//! CUDA copies such memory on one thread, through a buffer of its own, and takes several
//! times as long as the bus needs. Here several threads each carry chunks through pinned
//! buffers, so that copies by the CPU and transfers over the bus go on at the same time.

use std::sync::Arc;

use cudarc::driver::{CudaEvent, CudaStream, result, sys::CUdeviceptr};
use rayon::prelude::*;

use super::Gpu;
use crate::error::Result;
use crate::memory::{Block, MemoryKind};
use crate::parallel::in_parallel;

/// Bytes that a thread carries at a time. Less than two of the smallest chunks are left to CUDA.
const SMALLEST: usize = 256 << 10;
const LARGEST: usize = 2 << 20;
/// Large enough a number for the copies by the CPU to keep up with the bus.
const CHUNKS: usize = 8;

/// Large chunks cost less, but those of a small array must be enough for several threads.
fn chunk_of(bytes: usize) -> usize {
    (bytes / CHUNKS).clamp(SMALLEST, LARGEST)
}

/// Copies host memory to the GPU, ordered on `stream`. On return `from` has been read.
///
/// # Safety
/// `to` must be the address of at least as many bytes on this GPU as `from` has.
pub unsafe fn upload(gpu: &Gpu, stream: &CudaStream, from: &[u8], to: CUdeviceptr) -> Result<()> {
    if from.len() < 2 * SMALLEST {
        // SAFETY: the caller's.
        return Ok(unsafe { result::memcpy_htod_async(to, from, stream.cu_stream()) }?);
    }
    let size = chunk_of(from.len());
    in_parallel(|| {
        from.par_chunks(size).enumerate().try_for_each_init(
            || Carrier::new(gpu),
            |carrier, (index, chunk)| {
                let carrier = carrier.as_mut().map_err(|error| error.clone())?;
                carrier.upload(gpu, stream, chunk, to + (index * size) as u64)
            },
        )
    })?
}

/// Copies GPU memory to the host after all work on `stream`. On return `to` is complete.
///
/// # Safety
/// `from` must be the address of at least as many bytes on this GPU as `to` has.
pub unsafe fn download(
    gpu: &Gpu,
    stream: &CudaStream,
    from: CUdeviceptr,
    to: &mut [u8],
) -> Result<()> {
    if to.len() < 2 * SMALLEST {
        // SAFETY: the caller's.
        unsafe { result::memcpy_dtoh_async(to, from, stream.cu_stream()) }?;
        return Ok(stream.synchronize()?);
    }
    let size = chunk_of(to.len());
    in_parallel(|| {
        to.par_chunks_mut(size).enumerate().try_for_each_init(
            || Carrier::new(gpu),
            |carrier, (index, chunk)| {
                let carrier = carrier.as_mut().map_err(|error| error.clone())?;
                carrier.download(gpu, stream, from + (index * size) as u64, chunk)
            },
        )
    })?
}

/// A pinned buffer, and the end of the transfer that uses it.
struct Carrier {
    buffer: Arc<Block>,
    transferred: CudaEvent,
}

impl Carrier {
    fn new(gpu: &Gpu) -> Result<Self> {
        let _current = gpu.enter()?;
        Ok(Self {
            buffer: Block::allocate_on(gpu, LARGEST, MemoryKind::Pinned)?,
            transferred: gpu.context().new_event(None)?,
        })
    }

    /// The first `len` bytes of the buffer, once its last transfer has ended.
    fn bytes(&mut self, len: usize) -> Result<&mut [u8]> {
        self.transferred.synchronize()?;
        // SAFETY: the buffer is ours alone and no transfer uses it.
        Ok(unsafe { std::slice::from_raw_parts_mut(self.buffer.address() as *mut u8, len) })
    }

    fn upload(
        &mut self,
        gpu: &Gpu,
        stream: &CudaStream,
        chunk: &[u8],
        to: CUdeviceptr,
    ) -> Result<()> {
        let _current = gpu.enter()?;
        let bytes = self.bytes(chunk.len())?;
        bytes.copy_from_slice(chunk);
        // SAFETY: `to` has room for the chunk; the buffer stays until `transferred`.
        unsafe { result::memcpy_htod_async(to, bytes, stream.cu_stream()) }?;
        Ok(self.transferred.record(stream)?)
    }

    fn download(
        &mut self,
        gpu: &Gpu,
        stream: &CudaStream,
        from: CUdeviceptr,
        chunk: &mut [u8],
    ) -> Result<()> {
        let _current = gpu.enter()?;
        let bytes = self.bytes(chunk.len())?;
        // SAFETY: `from` holds the chunk; the buffer stays until `transferred`.
        unsafe { result::memcpy_dtoh_async(bytes, from, stream.cu_stream()) }?;
        self.transferred.record(stream)?;
        chunk.copy_from_slice(self.bytes(chunk.len())?);
        Ok(())
    }
}

impl Drop for Carrier {
    fn drop(&mut self) {
        // The buffer must not be used again before this. An error was met, and reported,
        // where the transfer was started, or will be where the stream is waited for.
        let _ = self.transferred.synchronize();
    }
}
