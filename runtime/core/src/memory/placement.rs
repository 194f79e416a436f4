//! Where a block of managed memory lives, and when it migrates.
//!
//! New memory stays on the host and is mapped into the GPU, which reads and writes it over
//! the bus without faults: the fastest for data that the host uses between GPU calls. Data
//! that consecutive GPU calls use is faster on the GPU. [`Placement::before_call`] migrates it there
//! when that is how it is used (`migration_policy.rs`), [`Placement::prefetch`] when the caller says so.
//! Small arrays migrate too, for all threads of a kernel may read them: later, and only with pages of
//! their own.

use std::mem;
use std::ops::Range;

use cudarc::driver::{CudaEvent, result};

use super::migration_policy::{MigrationPolicy, Weight};
use super::residency::{self, Sample};
use super::source::Source;
use super::{Side, mem_advise};
use crate::device;
use crate::error::Result;
use crate::gpu::Gpu;
use crate::gpu::capture::{Uncaptured, is_capturing};
use crate::gpu::stream::Stream;

/// Bytes of a large array. To read a smaller one over the bus, once, costs a few microseconds.
const LARGE: usize = 128 << 10;

/// What a block knows about its use.
#[derive(Default)]
pub struct Placement {
    policy: MigrationPolicy,
    /// What the last call left in memory on the host; none if it may not have ended, or the next
    /// one does not ask.
    left: Option<Sample>,
    /// The end of a migration to the GPU that was under way when last seen.
    arriving: Option<CudaEvent>,
}

impl Placement {
    pub fn is_on_gpu(&self) -> bool {
        self.policy.side() == Side::Device
    }

    /// The block's memory goes back: nobody asks for the end of a migration any more.
    pub fn forget_arrival(&mut self, gpu: Option<usize>) {
        if let (Some(arrival), Some(gpu)) = (self.arriving.take(), gpu) {
            match device::gpu(gpu).and_then(Gpu::enter) {
                // cudarc makes its own context the current one, and this may be any thread.
                Ok(_current) => drop(arrival),
                // In a forked process the event is the parent's.
                Err(_) => mem::forget(arrival),
            }
        }
    }

    /// Whether the host is seen to have used an array of the block since the last call, if this
    /// one asks.
    fn was_used_by_host(&mut self, address: usize, bytes: usize) -> Result<bool> {
        let left = self.left.take();
        if !self.policy.asks() {
            return Ok(false);
        }
        if !self.is_on_gpu() {
            // SAFETY: the array is contiguous and in the block, whose size is one of whole words.
            let changed = |left| left != unsafe { Sample::take(address, bytes) };
            return Ok(left.is_some_and(changed));
        }
        if let Some(arrival) = &self.arriving {
            let _uncaptured = Uncaptured::new();
            if !arrival.try_is_complete()? {
                return Ok(false); // its pages are still where the host had them
            }
            self.arriving = None;
        }
        Ok(residency::host_touched(address, bytes))
    }

    /// Migrates the memory of an array, if it should be elsewhere for a call on `stream`. `with_large`
    /// says that an array of the call is large. The GPU must be current.
    pub fn before_call(
        &mut self,
        range: Range<usize>,
        with_large: bool,
        gpu: &Gpu,
        stream: Stream,
    ) -> Result<()> {
        let (address, bytes) = (range.start, range.len());
        let before = self.policy;
        let used = self.was_used_by_host(address, bytes)?;
        let weight = match with_large {
            _ if is_large(bytes) => Weight::Large,
            true => Weight::WithLarge,
            false => Weight::Small,
        };
        let Some(mut side) = self.policy.call(weight, used) else {
            return Ok(());
        };
        if is_capturing(stream.raw())? {
            // in a graph migrations have no place
            self.policy = before;
            return Ok(());
        }
        if side == Side::Device && !has_memory(bytes)? {
            self.policy = before;
            match self.policy.give_up() {
                Some(host) => side = host,
                None => return Ok(()),
            }
        }
        self.migrate(side, gpu, address, bytes, stream)
    }

    /// Remembers how a call that has ended left an array: nothing writes to it any more.
    pub fn after_end(&mut self, range: Range<usize>) {
        self.arriving = None;
        if !self.is_on_gpu() && self.policy.asks() {
            // SAFETY: the array is contiguous and in the block, whose size is one of whole words.
            self.left = Some(unsafe { Sample::take(range.start, range.len()) });
        }
    }

    /// Migrates a part of the block because the caller says so. The GPU must be current.
    pub fn prefetch(
        &mut self,
        side: Side,
        gpu: &Gpu,
        address: usize,
        bytes: usize,
        stream: Stream,
    ) -> Result<()> {
        self.policy.hint(side);
        self.left = None;
        self.migrate(side, gpu, address, bytes, stream)
    }

    fn migrate(
        &mut self,
        side: Side,
        gpu: &Gpu,
        address: usize,
        bytes: usize,
        stream: Stream,
    ) -> Result<()> {
        mem_advise::prefetch(side, gpu, address, bytes, stream)?;
        self.arriving = match side {
            Side::Host => None,
            Side::Device => {
                let arrival = gpu.context().new_event(None)?;
                stream.record(&arrival)?;
                Some(arrival)
            }
        };
        Ok(())
    }
}

/// Whether an array is large.
pub fn is_large(bytes: usize) -> bool {
    bytes >= LARGE
}

/// Whether the GPU can take the array and as much again for others.
fn has_memory(bytes: usize) -> Result<bool> {
    Ok(result::mem_get_info()?.0 / 2 > bytes)
}

/// Bytes of the smallest array that a block of this size migrates with, and no other array with it: it
/// is in most pages of the block, the pages of a small one have nothing else in them, and the host's
/// use of them can be seen afterwards. Larger than any block where nothing ever migrates.
pub fn smallest_to_migrate(source: Source, size: usize) -> usize {
    if !residency::WORKS || !matches!(source, Source::Managed { .. }) {
        return usize::MAX;
    }
    let most = ((size / 2) & !(residency::page() - 1)) + 1;
    if residency::in_pages(size) == size {
        most
    } else {
        most.max(LARGE)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn arrays_migrate_that_are_in_most_pages_of_their_block() {
        let page = residency::page();
        let smallest = |size| smallest_to_migrate(Source::Managed { gpu: 0 }, size);
        assert_eq!(smallest(page), 1);
        assert_eq!(smallest(2 * page), page + 1); // in one of two pages, it is not in most
        assert_eq!(smallest(5 * page), 2 * page + 1);
        assert_eq!(smallest(page / 2), LARGE); // with others in a page
        assert_eq!(smallest(4 * LARGE + 64), 2 * LARGE + 1);
        for source in [Source::Host, Source::Pinned { gpu: 0 }] {
            assert_eq!(smallest_to_migrate(source, page), usize::MAX);
        }
    }
}
