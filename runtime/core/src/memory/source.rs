//! Where the pool gets its memory from.

use std::alloc::{self, Layout};

use cudarc::driver::{DriverError, result, sys};

use super::{available, huge_pages, mem_advise};
use crate::device;
use crate::error::{Error, Kind, Result};

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
                if let Err(error) = mem_advise::advise_host(gpu, address, bytes) {
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
        if bytes >= huge_pages::WORTHWHILE {
            huge_pages::ask_for(address, bytes);
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
