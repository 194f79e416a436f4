//! Arrays in host memory that CUDA does not know, for one call.
//!
//! Small ones are copied to pinned memory, which the GPU works on over the bus: that takes less
//! time than to start copies. Others are copied on to the GPU and back, large ones by several
//! threads.

use std::sync::Arc;

use cudarc::driver::{result, sys::CUdeviceptr};

use super::carriers::Carriers;
use crate::array::Array;
use crate::error::Result;
use crate::gpu::{Gpu, Stream};
use crate::memory::{Block, MemoryKind};

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
