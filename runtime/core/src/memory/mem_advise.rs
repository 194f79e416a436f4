//! Advice to the driver about where managed memory belongs, and prefetches.

use cudarc::driver::{result, sys};
use sys::CUmem_advise as Advice;

use super::Side;
use crate::error::Result;
use crate::gpu::Gpu;
use crate::gpu::stream::Stream;

/// Keeps the range on the host and mapped into the GPU. The GPU must be current.
pub fn advise_host(gpu: &Gpu, address: usize, bytes: usize) -> Result<()> {
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

fn prefer(gpu: &Gpu, side: Side, address: usize, bytes: usize) -> Result<()> {
    let preferred = Advice::CU_MEM_ADVISE_SET_PREFERRED_LOCATION;
    // SAFETY: as above.
    Ok(unsafe { result::mem_advise(address as u64, bytes, preferred, side.location(gpu)) }?)
}

/// Prefetches the range to a side and advises it to stay there, ordered on `stream`, without
/// waiting. The GPU must be current.
pub fn prefetch(side: Side, gpu: &Gpu, address: usize, bytes: usize, stream: Stream) -> Result<()> {
    match side {
        Side::Host => advise_host(gpu, address, bytes)?,
        Side::Device => prefer(gpu, side, address, bytes)?,
    }
    // SAFETY: as above.
    Ok(unsafe {
        result::mem_prefetch_async(address as u64, bytes, side.location(gpu), stream.raw())
    }?)
}
