//! Arrays in host memory that CUDA does not know, for one call.
//!
//! Small ones are copied to pinned memory, which the GPU works on over the bus: that takes less
//! time than to start copies. Others are copied on to the GPU and back, large ones by several
//! threads.

use std::slice;
use std::sync::Arc;

use cudarc::driver::{result, sys::CUdeviceptr};

use super::carriers::Carriers;
use crate::array::Array;
use crate::error::Result;
use crate::gpu::Gpu;
use crate::gpu::stream::Stream;
use crate::memory::{Block, MemoryKind};

/// Bytes of the largest array that the GPU works on over the bus. A kernel that reads an element
/// many times would be slow with larger ones.
const SMALL: usize = 64 << 10;

/// Bytes of the largest array that one thread copies faster than several can be called.
const MEDIUM: usize = 1 << 20;

/// The stream must be synchronized before this is dropped: the GPU uses its memory until then.
#[derive(Default)]
pub struct Staging<'a> {
    staged: Vec<Staged<'a>>,
    /// Only calls with large arrays have them.
    carriers: Option<Box<Carriers>>,
}

/// One array and its copies.
struct Staged<'a> {
    array: &'a Array,
    returns: bool,
    copies: Copies,
}

/// What a call does with an array.
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

enum Copies {
    Small {
        pinned: Arc<Block>,
    },
    Medium {
        pinned: Arc<Block>,
        device: Arc<Block>,
    },
    Large {
        device: Arc<Block>,
    },
}

impl<'a> Staging<'a> {
    /// The address of a copy of the array for the GPU, complete when the stream has reached this.
    /// What the GPU writes comes back; what it does not read is not copied.
    pub fn add(
        &mut self,
        gpu: &Gpu,
        stream: Stream,
        array: &'a Array,
        used: Use,
    ) -> Result<CUdeviceptr> {
        let bytes = array.bytes();
        let pinned = || Block::allocate_on(gpu, bytes, MemoryKind::Pinned);
        let device = || Block::scratch(gpu, bytes);
        let copies = if bytes <= SMALL {
            Copies::Small { pinned: pinned()? }
        } else if bytes <= MEDIUM {
            let (pinned, device) = (pinned()?, device()?);
            Copies::Medium { pinned, device }
        } else {
            Copies::Large { device: device()? }
        };
        self.staged.push(Staged {
            array,
            returns: used.written,
            copies,
        });
        // SAFETY: the array's bytes stay valid during the call, and the copies are as long.
        unsafe {
            let from = array.as_bytes();
            match &self.staged[self.staged.len() - 1].copies {
                Copies::Small { pinned } => {
                    if used.read {
                        bytes_of(pinned, bytes).copy_from_slice(from);
                    }
                    Ok(address_of(pinned))
                }
                Copies::Medium { pinned, device } => {
                    if used.read {
                        let pinned = bytes_of(pinned, bytes);
                        pinned.copy_from_slice(from);
                        result::memcpy_htod_async(address_of(device), pinned, stream.raw())?;
                    }
                    Ok(address_of(device))
                }
                Copies::Large { device } => {
                    let to = address_of(device);
                    if used.read {
                        let carriers = self.carriers.get_or_insert_default();
                        carriers.upload(gpu, stream, from, to)?;
                    }
                    Ok(to)
                }
            }
        }
    }

    /// Copies results back to large arrays, and starts to for others.
    pub fn begin_return(&mut self, gpu: &Gpu, stream: Stream) -> Result<()> {
        for staged in self.staged.iter().filter(|staged| staged.returns) {
            // SAFETY: the array is writable, as the operation checked, and as long as its copies.
            unsafe {
                match &staged.copies {
                    Copies::Small { .. } => {}
                    Copies::Medium { pinned, device } => {
                        let to = bytes_of(pinned, staged.array.bytes());
                        result::memcpy_dtoh_async(to, address_of(device), stream.raw())?;
                    }
                    Copies::Large { device } => {
                        let to = staged.array.as_bytes_mut();
                        let carriers = self.carriers.get_or_insert_default();
                        carriers.download(gpu, stream, address_of(device), to)?;
                    }
                }
            }
        }
        Ok(())
    }

    /// Completes the other arrays, once the stream is synchronized.
    pub fn finish_return(&self) {
        for staged in self.staged.iter().filter(|staged| staged.returns) {
            if let Copies::Small { pinned } | Copies::Medium { pinned, .. } = &staged.copies {
                // SAFETY: as in `begin_return`, and no transfer uses the block any more.
                unsafe {
                    let to = staged.array.as_bytes_mut();
                    to.copy_from_slice(bytes_of(pinned, to.len()));
                }
            }
        }
    }
}

fn address_of(block: &Block) -> CUdeviceptr {
    block.address() as CUdeviceptr
}

/// # Safety
/// The block must be in host memory, and as long.
#[allow(clippy::mut_from_ref)] // the block is the staging's alone
unsafe fn bytes_of(block: &Block, len: usize) -> &mut [u8] {
    // SAFETY: the caller's.
    unsafe { slice::from_raw_parts_mut(block.address() as *mut u8, len) }
}
