//! Where a block of managed memory lives, and when it moves.
//!
//! New memory stays on the host and is mapped into the GPU, which reads and writes it over
//! the bus without faults: the fastest for data that the host uses between GPU calls. Data
//! that GPU calls use in a row is faster on the GPU. [`before_call`] moves it there when
//! that is how it is used (`habit.rs`), [`prefetch`] when the caller says so. Small arrays move too,
//! for all threads of a kernel may read them: later, and only with pages of their own.

use std::mem;

use cudarc::driver::{CudaEvent, result};

use super::block::Block;
use super::habit::{Habit, Weight};
use super::sight::{self, Sample};
use super::source::Source;
use super::{Side, advice};
use crate::array::Array;
use crate::device;
use crate::error::Result;
use crate::gpu::Gpu;
use crate::gpu::stream::{Stream, Uncaptured, is_recording};

/// Bytes of a large array. To read a smaller one over the bus, once, costs a few microseconds.
const LARGE: usize = 128 << 10;

/// What a block knows about its use.
#[derive(Default)]
pub struct Placement {
    habit: Habit,
    /// What the last call left in memory on the host; none if it may not have ended, or the next
    /// one does not ask.
    left: Option<Sample>,
    /// The end of a move to the GPU that was under way when last seen.
    arriving: Option<CudaEvent>,
}

impl Placement {
    pub fn is_moved(&self) -> bool {
        self.habit.side() == Side::Device
    }

    /// The block's memory goes back: nobody asks for the end of a move any more.
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
    fn was_used_by_host(&mut self, array: &Array) -> Result<bool> {
        let (address, bytes) = (array.address, array.bytes());
        let left = self.left.take();
        if !self.habit.asks() {
            return Ok(false);
        }
        if !self.is_moved() {
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
        Ok(sight::host_touched(address, bytes))
    }

    fn move_to(
        &mut self,
        side: Side,
        gpu: &Gpu,
        address: usize,
        bytes: usize,
        stream: Stream,
    ) -> Result<()> {
        advice::move_to(side, gpu, address, bytes, stream)?;
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
pub fn is_large(array: &Array) -> bool {
    array.bytes() >= LARGE
}

/// Moves the memory of an array, if it should be elsewhere for a call on `stream`. `with_large`
/// says that an array of the call is large. The GPU must be current.
pub fn before_call(
    block: &Block,
    array: &Array,
    with_large: bool,
    gpu: &Gpu,
    stream: Stream,
) -> Result<()> {
    if !is_movable(block, array) {
        return Ok(());
    }
    let bytes = array.bytes();
    let mut placement = block.placement();
    let before = placement.habit;
    let used = placement.was_used_by_host(array)?;
    let weight = match with_large {
        _ if bytes >= LARGE => Weight::Large,
        true => Weight::BesideLarge,
        false => Weight::Small,
    };
    let Some(mut side) = placement.habit.call(weight, used) else {
        return Ok(());
    };
    if is_recording(stream.raw())? {
        // in a graph moves have no place
        placement.habit = before;
        return Ok(());
    }
    if side == Side::Device && !has_room(bytes)? {
        placement.habit = before;
        match placement.habit.give_up() {
            Some(host) => side = host,
            None => return Ok(()),
        }
    }
    placement.move_to(side, gpu, array.address, bytes, stream)
}

/// Remembers how a call has left an array; `ended` says that nothing writes to it any more.
pub fn after_call(block: &Block, array: &Array, ended: bool) {
    if ended && is_movable(block, array) {
        let mut placement = block.placement();
        placement.arriving = None;
        if !placement.is_moved() && placement.habit.asks() {
            // SAFETY: the array is contiguous and in the block, whose size is one of whole words.
            placement.left = Some(unsafe { Sample::take(array.address, array.bytes()) });
        }
    }
}

/// Moves a part of a block because the caller says so, ordered on `stream` or on the
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
    let stream = match stream {
        Some(stream) => stream,
        None => gpu.thread_stream()?,
    };
    let mut placement = block.placement();
    placement.habit.hint(side);
    placement.left = None;
    placement.move_to(side, gpu, block.address() + offset, bytes, stream)
}

/// Bytes of the smallest array that a block of this size moves with, and no other array with it: it is
/// in most pages of the block, the pages of a small one have nothing else in them, and the host's use
/// of them can be seen afterwards. More than there are where nothing moves.
pub fn smallest_to_move(source: Source, size: usize) -> usize {
    if !sight::WORKS || !matches!(source, Source::Managed { .. }) {
        return usize::MAX;
    }
    let most = ((size / 2) & !(sight::page() - 1)) + 1;
    if sight::in_pages(size) == size {
        most
    } else {
        most.max(LARGE)
    }
}

fn is_movable(block: &Block, array: &Array) -> bool {
    array.bytes() >= block.smallest_to_move()
}

/// Whether the GPU can take the array and as much again for others.
fn has_room(bytes: usize) -> Result<bool> {
    Ok(result::mem_get_info()?.0 / 2 > bytes)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn arrays_move_that_are_in_most_pages_of_their_block() {
        let page = sight::page();
        let smallest = |size| smallest_to_move(Source::Managed { gpu: 0 }, size);
        assert_eq!(smallest(page), 1);
        assert_eq!(smallest(2 * page), page + 1); // in one of two pages, it is not in most
        assert_eq!(smallest(5 * page), 2 * page + 1);
        assert_eq!(smallest(page / 2), LARGE); // beside others in a page
        assert_eq!(smallest(4 * LARGE + 64), 2 * LARGE + 1);
        for source in [Source::Host, Source::Pinned { gpu: 0 }] {
            assert_eq!(smallest_to_move(source, page), usize::MAX);
        }
    }
}
