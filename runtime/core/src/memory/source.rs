//! Where the pool gets its memory from.

use std::alloc::{self, Layout};

use cudarc::driver::{DriverError, result, sys};
use sys::CUmem_advise as Advice;

use super::{Side, available};
use crate::device;
use crate::error::{Error, Kind, Result};
use crate::gpu::{Gpu, Stream};

/// Alignment of plain host memory, in bytes: a cache line. CUDA's memory has more.
const ALIGNMENT: usize = 64;

/// A system call or driver call that allocates memory.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Source {
    Host,
    Managed {
        gpu: usize,
    },
    Pinned {
        gpu: usize,
    },
    /// The GPU's alone.
    Device {
        gpu: usize,
    },
}

impl Source {
    /// Kinds of memory whose limits differ.
    pub const KINDS: usize = 3;

    /// The index of this one.
    pub fn kind(self) -> usize {
        match self {
            Self::Host => 0,
            Self::Managed { .. } | Self::Pinned { .. } => 1,
            Self::Device { .. } => 2,
        }
    }

    pub fn gpu(self) -> Option<usize> {
        match self {
            Self::Host => None,
            Self::Managed { gpu } | Self::Pinned { gpu } | Self::Device { gpu } => Some(gpu),
        }
    }

    /// The address of `bytes` new bytes.
    pub fn allocate(self, bytes: usize) -> Result<usize> {
        if bytes > self.limit()? {
            return Err(self.exhausted(bytes));
        }
        match self {
            Self::Host => self.allocate_host(bytes),
            Self::Managed { gpu } => {
                let gpu = device::gpu(gpu)?;
                let _current = gpu.enter()?;
                let attach = sys::CUmemAttach_flags::CU_MEM_ATTACH_GLOBAL;
                // SAFETY: the pool owns the memory.
                let address = unsafe { result::malloc_managed(bytes, attach) }
                    .map_err(|error| self.failed(bytes, error))?
                    as usize;
                if let Err(error) = advise_host(gpu, address, bytes) {
                    // SAFETY: just allocated; its own error would say less than this one.
                    let _ = unsafe { result::memory_free(address as sys::CUdeviceptr) };
                    return Err(error);
                }
                Ok(address)
            }
            Self::Pinned { gpu } => {
                let _current = device::gpu(gpu)?.enter()?;
                let flags = sys::CU_MEMHOSTALLOC_PORTABLE | sys::CU_MEMHOSTALLOC_DEVICEMAP;
                // SAFETY: the pool owns the memory.
                unsafe { result::malloc_host(bytes, flags) }
                    .map(|pointer| pointer as usize)
                    .map_err(|error| self.failed(bytes, error))
            }
            Self::Device { gpu } => {
                let _current = device::gpu(gpu)?.enter()?;
                // SAFETY: the pool owns the memory.
                unsafe { result::malloc_sync(bytes) }
                    .map(|address| address as usize)
                    .map_err(|error| self.failed(bytes, error))
            }
        }
    }

    fn allocate_host(self, bytes: usize) -> Result<usize> {
        let layout = Self::layout(bytes).ok_or_else(|| self.exhausted(bytes))?;
        // SAFETY: the pool never asks for zero bytes.
        let address = unsafe { alloc::alloc(layout) } as usize;
        if address == 0 {
            return Err(self.exhausted(bytes));
        }
        if bytes >= HUGE_PAGES {
            ask_for_huge_pages(address, bytes);
        }
        Ok(address)
    }

    /// # Safety
    /// `address` and `bytes` must come from [`Source::allocate`] of the same source, and
    /// nothing may use the memory any more.
    pub unsafe fn free(self, address: usize, bytes: usize) -> Result<()> {
        match self {
            Self::Host => {
                let layout = Self::layout(bytes).expect("it was allocated with this layout");
                // SAFETY: the caller's.
                unsafe { alloc::dealloc(address as *mut u8, layout) };
            }
            Self::Managed { gpu } | Self::Device { gpu } => {
                let _current = device::gpu(gpu)?.enter()?;
                // SAFETY: the caller's.
                unsafe { result::memory_free(address as sys::CUdeviceptr) }?;
            }
            Self::Pinned { gpu } => {
                let _current = device::gpu(gpu)?.enter()?;
                // SAFETY: the caller's.
                unsafe { result::free_host(address as *mut _) }?;
            }
        }
        Ok(())
    }

    fn layout(bytes: usize) -> Option<Layout> {
        Layout::from_size_align(bytes, ALIGNMENT).ok()
    }

    /// More than this is refused without asking: systems promise memory they do not have,
    /// and end the process when it is used.
    fn limit(self) -> Result<usize> {
        let host = available::memory();
        Ok(match self {
            Self::Managed { gpu } => host.saturating_add(device::gpu(gpu)?.memory),
            Self::Host | Self::Pinned { .. } => host,
            Self::Device { gpu } => device::gpu(gpu)?.memory,
        })
    }

    fn failed(self, bytes: usize, error: DriverError) -> Error {
        if error.0 == sys::CUresult::CUDA_ERROR_OUT_OF_MEMORY {
            self.exhausted(bytes)
        } else {
            error.into()
        }
    }

    /// The error for so many bytes.
    pub fn exhausted(self, bytes: usize) -> Error {
        let kind = match self {
            Self::Host => "host",
            Self::Managed { .. } => "managed",
            Self::Pinned { .. } => "pinned",
            Self::Device { .. } => "GPU",
        };
        Kind::Memory { bytes, kind }.into()
    }
}

/// Bytes from which on huge pages are worth it: two of the usual ones are in them wherever they start. The CPU has
/// fewer addresses to look up, and goes through an array up to twice as fast; NumPy asks for them too.
const HUGE_PAGES: usize = 4 << 20;

/// Asks for huge pages in this range. Without them everything works, and so no error matters.
#[cfg(target_os = "linux")]
fn ask_for_huge_pages(address: usize, bytes: usize) {
    // SAFETY: asks for the size of a page, and gives advice about whole pages of the range.
    unsafe {
        let page = libc::sysconf(libc::_SC_PAGESIZE) as usize;
        let start = address.next_multiple_of(page);
        let end = (address + bytes) / page * page;
        libc::madvise(start as *mut _, end - start, libc::MADV_HUGEPAGE);
    }
}

#[cfg(not(target_os = "linux"))]
fn ask_for_huge_pages(_: usize, _: usize) {}

/// Leaves the range on the host, mapped into the GPU. The GPU must be current.
pub fn advise_host(gpu: &Gpu, address: usize, bytes: usize) -> Result<()> {
    let [preferred, accessed_by] = [
        (Advice::CU_MEM_ADVISE_SET_PREFERRED_LOCATION, Side::Host),
        (Advice::CU_MEM_ADVISE_SET_ACCESSED_BY, Side::Device),
    ];
    advise(gpu, address, bytes, preferred)?;
    advise(gpu, address, bytes, accessed_by)
}

fn advise(gpu: &Gpu, address: usize, bytes: usize, (what, side): (Advice, Side)) -> Result<()> {
    // SAFETY: managed memory of the pool; advice does not change contents.
    Ok(unsafe { sys::cuMemAdvise(address as u64, bytes, what, side.device(gpu)) }.result()?)
}

/// Prefetches the range to a side and advises it to stay there, ordered on `stream`, without
/// blocking. The GPU must be current.
pub fn prefetch(side: Side, gpu: &Gpu, address: usize, bytes: usize, stream: Stream) -> Result<()> {
    let preferred = (Advice::CU_MEM_ADVISE_SET_PREFERRED_LOCATION, side);
    match side {
        Side::Host => advise_host(gpu, address, bytes)?,
        Side::Device => advise(gpu, address, bytes, preferred)?,
    }
    let to = side.device(gpu);
    // SAFETY: managed memory of the pool; where it is does not change its contents.
    Ok(unsafe { sys::cuMemPrefetchAsync(address as u64, bytes, to, stream.raw()) }.result()?)
}
