//! Advice to the driver about where managed memory belongs, and prefetches.

use cudarc::driver::sys;
use sys::CUmem_advise as Advice;

use super::Side;
use crate::error::Result;
use crate::gpu::{Gpu, Stream};

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
