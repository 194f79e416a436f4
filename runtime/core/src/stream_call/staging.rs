//! Arrays in host memory that CUDA does not know, for one call.
//!
//! Small ones are copied to pinned memory, which the GPU works on over the bus: that takes less
//! time than to start copies. Others are copied on to the GPU and back, large ones by several
//! threads.
//!
//! Threads carry large ones. CUDA copies such memory on one thread and takes several times as long as the bus needs. Here
//! every thread has two pinned buffers: while one is on the bus, it copies to or from the other.

use std::sync::{Arc, Mutex, PoisonError};

use cudarc::driver::sys::CUdeviceptr;
use cudarc::driver::{CudaEvent, result};

use crate::array::Array;
use crate::error::Result;
use crate::gpu::{Gpu, Stream};
use crate::memory::{Block, MemoryKind};
use crate::parallel;

/// Bytes of the largest array that the GPU works on over the bus. A kernel that reads an element
/// many times would be slow with larger ones.
const SMALL: usize = 64 << 10;

/// Bytes of the largest array that one thread copies faster than several can be called.
const MEDIUM: usize = 1 << 20;

/// The stream must be synchronized before this is dropped: the GPU uses its memory until then.
pub struct Staging<'a> {
    gpu: &'a Gpu,
    stream: Stream,
    staged: Vec<Staged<'a>>,
    /// Only calls with large arrays have them.
    carriers: Option<Box<Carriers<'a>>>,
}

/// One array and its copies: a small one has a pinned one, a large one the GPU's.
struct Staged<'a> {
    array: &'a Array,
    returns: bool,
    pinned: Option<Arc<Block>>,
    device: Option<Arc<Block>>,
}

/// Use of an array by a call.
#[derive(Clone, Copy)]
pub struct Use {
    read: bool,
    written: bool,
}

impl Use {
    pub const READ: Self = Self::new(true, false);
    pub const WRITTEN: Self = Self::new(false, true);
    pub const READ_AND_WRITTEN: Self = Self::new(true, true);

    const fn new(read: bool, written: bool) -> Self {
        Self { read, written }
    }
}

impl<'a> Staging<'a> {
    pub fn new(gpu: &'a Gpu, stream: Stream) -> Self {
        Self {
            gpu,
            stream,
            staged: Vec::new(),
            carriers: None,
        }
    }

    /// The address of the first element in a copy of the array's range for the GPU, complete when the stream has
    /// reached this. What the GPU writes comes back; what it does not read is not copied.
    pub fn add(&mut self, array: &'a Array, used: Use) -> Result<CUdeviceptr> {
        let (gpu, stream, range) = (self.gpu, self.stream, array.range());
        let bytes = range.len();
        let pinned = (bytes <= MEDIUM).then(|| Block::allocate_on(gpu, bytes, MemoryKind::Pinned));
        let device = (bytes > SMALL).then(|| Block::scratch(gpu, bytes));
        self.staged.push(Staged {
            array,
            returns: used.written,
            pinned: pinned.transpose()?,
            device: device.transpose()?,
        });
        let Staged { pinned, device, .. } = &self.staged[self.staged.len() - 1];
        let copy = device.as_ref().or(pinned.as_ref());
        let to = address_of(copy.expect("every array has a copy"));
        // SAFETY: the array's bytes stay valid during the call, and the copies are as long.
        unsafe {
            match pinned {
                _ if !used.read => {}
                Some(pinned) => {
                    let pinned = pinned.bytes(bytes);
                    pinned.copy_from_slice(array.as_bytes());
                    if device.is_some() {
                        result::memcpy_htod_async(to, pinned, stream.raw())?;
                    }
                }
                None => carriers(&mut self.carriers, gpu, stream).upload(array.as_bytes(), to)?,
            }
        }
        Ok(to + (array.address - range.start) as CUdeviceptr)
    }

    /// Copies results back to large arrays, and starts to for others.
    pub fn begin_return(&mut self) -> Result<()> {
        let (gpu, stream) = (self.gpu, self.stream);
        for staged in self.staged.iter().filter(|staged| staged.returns) {
            let Some(from) = staged.device.as_deref().map(address_of) else {
                continue;
            };
            // SAFETY: the array is writable, as the operation checked, and as long as its copies.
            unsafe {
                match &staged.pinned {
                    Some(pinned) => {
                        let to = pinned.bytes(staged.array.range().len());
                        result::memcpy_dtoh_async(to, from, stream.raw())?;
                    }
                    None => {
                        let to = staged.array.as_bytes_mut();
                        carriers(&mut self.carriers, gpu, stream).download(from, to)?;
                    }
                }
            }
        }
        Ok(())
    }

    /// Completes the other arrays, once the stream is synchronized.
    pub fn finish_return(&self) {
        for staged in self.staged.iter().filter(|staged| staged.returns) {
            if let Some(pinned) = &staged.pinned {
                // SAFETY: as in `begin_return`, and no transfer uses the block any more.
                unsafe {
                    let to = staged.array.as_bytes_mut();
                    to.copy_from_slice(pinned.bytes(to.len()));
                }
            }
        }
    }
}

/// The call's carriers, made when they are needed.
fn carriers<'a, 'b>(
    carriers: &'b mut Option<Box<Carriers<'a>>>,
    gpu: &'a Gpu,
    stream: Stream,
) -> &'b mut Carriers<'a> {
    carriers.get_or_insert_with(|| Box::new(Carriers::new(gpu, stream)))
}

fn address_of(block: &Block) -> CUdeviceptr {
    block.address() as CUdeviceptr
}

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
pub struct Carriers<'a> {
    gpu: &'a Gpu,
    stream: Stream,
    carriers: [Carrier; ENOUGH],
}

impl<'a> Carriers<'a> {
    pub fn new(gpu: &'a Gpu, stream: Stream) -> Self {
        let carriers = Default::default();
        Self {
            gpu,
            stream,
            carriers,
        }
    }

    /// Copies host memory to the GPU, ordered on `stream`. On return `from` has been read.
    ///
    /// # Safety
    /// `to` must be the address of at least as many bytes on this GPU as `from` has.
    pub unsafe fn upload(&mut self, from: &[u8], to: CUdeviceptr) -> Result<()> {
        let size = chunk_of(from.len());
        let (gpu, stream) = (self.gpu, self.stream);
        self.run(from.chunks(size).enumerate(), |carrier, take| {
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
    pub unsafe fn download(&mut self, from: CUdeviceptr, to: &mut [u8]) -> Result<()> {
        let size = chunk_of(to.len());
        let (gpu, stream) = (self.gpu, self.stream);
        self.run(to.chunks_mut(size).enumerate(), |carrier, take| {
            let fetch = |carrier: &mut Carrier| -> Result<_> {
                let Some((index, to)) = take() else {
                    return Ok(None);
                };
                let from = from + (index * size) as u64;
                // SAFETY: the chunk is in `from`.
                let buffer = unsafe { carrier.fetch(gpu, stream, from, to.len()) }?;
                Ok(Some((buffer, to)))
            };
            let mut coming = fetch(carrier)?;
            while let Some((buffer, to)) = coming {
                coming = fetch(carrier)?;
                buffer.transferred.synchronize()?;
                // SAFETY: the transfer has ended.
                to.copy_from_slice(unsafe { buffer.block.bytes(to.len()) });
            }
            Ok(())
        })
    }

    /// Calls `work` on several threads, each with a carrier of its own and a function that takes
    /// the next of the chunks.
    fn run<C: ExactSizeIterator + Send>(
        &mut self,
        chunks: C,
        work: impl Fn(&mut Carrier, &dyn Fn() -> Option<C::Item>) -> Result<()> + Sync,
    ) -> Result<()> {
        let gpu = self.gpu;
        let threads = chunks.len().min(parallel::count()).min(ENOUGH);
        let chunks = Mutex::new(chunks);
        let take = || chunks.lock().unwrap_or_else(PoisonError::into_inner).next();
        let outcome = Mutex::new(Ok(()));
        let carriers = self.carriers.each_mut().map(Mutex::new); // each for the one thread that takes it
        parallel::run(
            threads,
            || false,
            |index| {
                let mut carrier = carriers[index]
                    .lock()
                    .unwrap_or_else(PoisonError::into_inner);
                let worked = gpu.enter().and_then(|_current| work(&mut carrier, &take));
                if worked.is_err() {
                    *outcome.lock().unwrap_or_else(PoisonError::into_inner) = worked;
                }
            },
        );
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
            let bytes = buffer.block.bytes(from.len());
            bytes.copy_from_slice(from);
            result::memcpy_htod_async(to, bytes, stream.raw())?;
        }
        stream.record(&buffer.transferred)
    }

    /// Starts the transfer of a chunk to the buffer that it returns.
    ///
    /// # Safety
    /// `from` must be the address of at least as many bytes on this GPU.
    unsafe fn fetch(
        &mut self,
        gpu: &Gpu,
        stream: Stream,
        from: CUdeviceptr,
        bytes: usize,
    ) -> Result<Arc<Buffer>> {
        let buffer = self.next(gpu)?;
        // SAFETY: the caller's; the buffer stays until the stream is synchronized.
        unsafe { result::memcpy_dtoh_async(buffer.block.bytes(bytes), from, stream.raw()) }?;
        stream.record(&buffer.transferred)?;
        Ok(buffer)
    }
}

impl Buffer {
    fn new(gpu: &Gpu) -> Result<Self> {
        Ok(Self {
            block: Block::allocate_on(gpu, LARGEST, MemoryKind::Pinned)?,
            transferred: gpu.context().new_event(None)?,
        })
    }
}
