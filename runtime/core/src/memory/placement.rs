//! Where a block of managed memory lives, and when it migrates.
//!
//! New memory, but for the results of some functions ([`Expectation`]), stays on the host and is mapped into the GPU, which reads and writes it over
//! the bus without faults: the fastest for data that the host uses between GPU calls. Data
//! that consecutive GPU calls use is faster on the GPU. [`Placement::before_call`] finds out whether
//! that is how it is used (`migration_policy.rs`); callers may also say so ([`Placement::hint`]).
//! Small arrays migrate too, for all threads of a kernel may read them: later, and only with pages of
//! their own.

use std::mem;
use std::ops::Range;
use std::sync::Arc;

use cudarc::driver::result;

use super::Side;
use super::expectation::{Expectation, Fate};
use super::migration_policy::{MigrationPolicy, Weight};
use super::pool::Chunk;
use super::residency::{self, Sample};
use super::source::{self, Source};
use crate::error::Result;
use crate::gpu::graph::{Uncaptured, is_capturing};
use crate::gpu::{Gpu, Recorded, Stream};

/// Bytes of a large array. To read a smaller one over the bus, once, costs a few microseconds.
const LARGE: usize = 128 << 10;

/// Record of a block's use.
#[derive(Default)]
pub struct Placement {
    policy: MigrationPolicy,
    /// Sample of the memory on the host after the last call; none if it may not have ended, or the
    /// next one does not ask.
    left: Option<Sample>,
    /// The end of a migration to the GPU that was under way when last seen.
    arriving: Option<Recorded>,
    result: Option<ResultOf>,
}

/// Further record of a block that is a result.
struct ResultOf {
    function: Arc<Expectation>,
    /// It is to begin on the GPU, and its pages are not there.
    is_expected: bool,
    /// Calls, the first of which has made it.
    calls: u32,
    /// The host has touched it on the GPU.
    was_fetched: bool,
}

impl Placement {
    /// Makes the placement of a result that is to begin on the GPU or not, in a chunk advised to be
    /// there or not.
    pub fn of_result(function: Arc<Expectation>, expected: bool, chunk: &Chunk) -> Self {
        let mut placement = Self::default();
        if chunk.on_gpu {
            placement.policy.hint(Side::Device);
        }
        let is_there = chunk.on_gpu && !chunk.fetched;
        placement.result = Some(ResultOf {
            function,
            is_expected: expected && !is_there,
            calls: 0,
            was_fetched: false,
        });
        placement
    }

    pub fn is_on_gpu(&self) -> bool {
        self.policy.side() == Side::Device
    }

    /// Checks whether the host is seen to have used an array of the block since the last call, if
    /// this one asks.
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
            if !arrival.has_passed()? {
                return Ok(false); // its pages are still where the host had them
            }
            self.arriving = None;
        }
        Ok(residency::host_touched(address, bytes))
    }

    /// The side to migrate an array to before a call on `stream`, if it should be elsewhere.
    /// `with_large` says that an array of the call is large. The GPU must be current.
    pub fn before_call(
        &mut self,
        array: &Range<usize>,
        with_large: bool,
        stream: Stream,
    ) -> Result<Option<Side>> {
        let bytes = array.len();
        if self.begins_on_gpu(bytes, stream)? {
            self.hint(Side::Device);
            return Ok(Some(Side::Device));
        }
        let before = self.policy;
        let used = self.was_used_by_host(array.start, bytes)?;
        if let Some(result) = &mut self.result {
            result.was_fetched |= used && before.side() == Side::Device;
        }
        let weight = match with_large {
            _ if is_large(bytes) => Weight::Large,
            true => Weight::WithLarge,
            false => Weight::Small,
        };
        let side = self.policy.call(weight, used);
        if side.is_some() && is_capturing(stream.raw())? {
            self.policy = before;
            return Ok(None); // in a graph migrations have no place
        }
        if side == Some(Side::Device) && !has_memory(bytes)? {
            self.policy = before;
            return Ok(self.policy.give_up());
        }
        Ok(side)
    }

    /// Checks whether this call makes a result whose pages are to be prefetched to the GPU.
    fn begins_on_gpu(&mut self, bytes: usize, stream: Stream) -> Result<bool> {
        let Some(result) = &mut self.result else {
            return Ok(false);
        };
        result.calls = result.calls.saturating_add(1);
        if !mem::take(&mut result.is_expected) {
            return Ok(false);
        }
        Ok(!is_capturing(stream.raw())? && has_memory(bytes)?)
    }

    /// Nobody uses the block any more: what its function learns of it. Returns whether the host has touched pages that were on the GPU.
    ///
    /// This runs in destructors: it asks CUDA nothing.
    pub fn end(&mut self, block: &Range<usize>) -> bool {
        let is_there = self.is_on_gpu() && self.arriving.is_none();
        let Some(result) = &self.result else {
            return is_there; // nobody has looked
        };
        let fetched = is_there && residency::host_touched(block.start, block.len());
        if fetched || result.was_fetched {
            result.function.learn(Fate::Fetched);
        } else if result.calls > 1 {
            result.function.learn(Fate::Used);
        } else {
            let on_gpu = self.is_on_gpu();
            result
                .function
                .learn(if on_gpu { Fate::Left } else { Fate::Unseen });
        }
        fetched
    }

    /// Remembers how a call that has ended left an array: nothing writes to it any more.
    pub fn after_end(&mut self, array: &Range<usize>) {
        self.arriving = None;
        if !self.is_on_gpu() && self.policy.asks() {
            // SAFETY: the array is contiguous and in the block, whose size is one of whole words.
            self.left = Some(unsafe { Sample::take(array.start, array.len()) });
        }
    }

    /// The caller says where the block is to be.
    pub fn hint(&mut self, side: Side) {
        self.policy.hint(side);
        self.left = None;
    }

    /// Migrates these addresses. The GPU must be current.
    pub fn migrate(
        &mut self,
        side: Side,
        gpu: &Gpu,
        range: Range<usize>,
        stream: Stream,
    ) -> Result<()> {
        source::prefetch(side, gpu, range.start, range.len(), stream)?;
        self.arriving = match side {
            Side::Host => None,
            Side::Device => Some(Recorded::on(gpu.index, stream.raw())?),
        };
        Ok(())
    }
}

/// Checks whether an array is large.
pub fn is_large(bytes: usize) -> bool {
    bytes >= LARGE
}

/// Checks whether the GPU can take the array and as much again for others.
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
