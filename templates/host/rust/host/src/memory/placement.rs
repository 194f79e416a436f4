//! Where managed memory lives: advice and moves.
//!
//! New managed memory stays on the host and is mapped into the GPU, which reads and writes
//! it over the bus without faults. That is the fastest for data that the host touches
//! between GPU calls. Data that many GPU calls use in a row is faster on the GPU:
//! [`prefetch`] moves it there, and back.

use std::sync::atomic::Ordering;

use cudarc::driver::{result, sys};
use sys::CUmem_advise as Advice;
use sys::CUmemLocationType as LocationType;

use super::block::Block;
use super::pool::Chunk;
use super::source::Source;
use crate::device;
use crate::error::{Error, Result};
use crate::gpu::{Gpu, stream::Stream};

/// A side of the bus.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Side {
    Host,
    Device,
}

impl Side {
    /// # Errors
    /// `Error::Value` when it is neither `host` nor `device`.
    pub fn from_name(name: &str) -> Result<Self> {
        match name {
            "host" => Ok(Self::Host),
            "device" => Ok(Self::Device),
            _ => Err(Error::Value(format!(
                "cannot prefetch to {name:?}: it must be \"device\" or \"host\""
            ))),
        }
    }

    fn location(self, gpu: &Gpu) -> sys::CUmemLocation {
        match self {
            Self::Host => sys::CUmemLocation {
                type_: LocationType::CU_MEM_LOCATION_TYPE_HOST,
                id: 0,
            },
            Self::Device => sys::CUmemLocation {
                type_: LocationType::CU_MEM_LOCATION_TYPE_DEVICE,
                id: gpu.index as i32,
            },
        }
    }
}

/// Keeps the range on the host and mapped into the GPU. The GPU must be current.
pub(super) fn advise_host(gpu: &Gpu, address: usize, bytes: usize) -> Result<()> {
    prefer(gpu, Side::Host, address, bytes)?;
    let accessed_by = Advice::CU_MEM_ADVISE_SET_ACCESSED_BY;
    // SAFETY: managed memory of the pool; advice does not change contents.
    Ok(unsafe {
        result::mem_advise(
            address as u64,
            bytes,
            accessed_by,
            Side::Device.location(gpu),
        )
    }?)
}

/// Undoes [`prefetch`] to the GPU before a chunk is used again. The pages that are on the
/// GPU come back when the host touches them.
pub(super) fn advise_back(chunk: &Chunk) -> Result<()> {
    let Source::Managed { gpu } = chunk.source else {
        return Ok(());
    };
    let gpu = device::gpu(gpu)?;
    let _current = gpu.enter()?;
    advise_host(gpu, chunk.address, chunk.size)
}

fn prefer(gpu: &Gpu, side: Side, address: usize, bytes: usize) -> Result<()> {
    let preferred = Advice::CU_MEM_ADVISE_SET_PREFERRED_LOCATION;
    // SAFETY: as above.
    Ok(unsafe { result::mem_advise(address as u64, bytes, preferred, side.location(gpu)) }?)
}

/// Moves a part of a block and advises it to stay there, ordered on `stream` or on the
/// thread's own, without waiting. Does nothing to memory that cannot move.
pub fn prefetch(
    block: &Block,
    side: Side,
    offset: usize,
    bytes: usize,
    stream: Option<Stream>,
) -> Result<()> {
    let Source::Managed { gpu } = block.source() else {
        return Ok(());
    };
    if bytes == 0 {
        return Ok(());
    }
    let gpu = device::gpu(gpu)?;
    let _current = gpu.enter()?;
    let address = block.address() + offset;
    let stream = match stream {
        Some(stream) => gpu.foreign_stream(stream),
        None => gpu.thread_stream()?,
    };
    match side {
        Side::Host => advise_host(gpu, address, bytes)?,
        Side::Device => {
            block.moved.store(true, Ordering::Relaxed);
            prefer(gpu, Side::Device, address, bytes)?;
        }
    }
    // SAFETY: as above.
    Ok(unsafe {
        result::mem_prefetch_async(
            address as u64,
            bytes,
            side.location(gpu),
            stream.cu_stream(),
        )
    }?)
}
