//! Reductions and scans by the threads of a warp or of a block.

use core::array;

use super::{Grid, IN_FLIGHT, WARP, load_constant, stride};
use crate::grid::team::Share;
use crate::grid::{Element, Readable, Shuffle, Split, Team, Total, View, pack, panic, ptx};

/// Combines the values of all lanes; lane 0 gets the result.
#[inline(always)]
pub(in crate::grid) fn reduce_warp<A: Shuffle>(mut value: A, combine: impl Fn(A, A) -> A) -> A {
    for distance in [16, 8, 4, 2, 1] {
        value = combine(
            value,
            value.shuffle(|word| ptx::shuffle_down(word, distance)),
        );
    }
    value
}

/// Combines the values of all threads of the block, by shuffles in every warp first, for each.
///
/// All threads of the block must come here.
#[inline(always)]
pub(in crate::grid) fn reduce_block<A: Shuffle>(
    grid: Grid,
    value: A,
    combine: impl Fn(A, A) -> A,
) -> A {
    let thread = grid.thread_in_block() as u32;
    let warps = grid.threads_in_block() as u32 / WARP;
    let value = reduce_warp(value, &combine);
    ptx::barrier(); // what an earlier reduction left has been read
    if thread % WARP == 0 {
        // SAFETY: this warp's slot.
        unsafe { slot::<A>(thread / WARP).write(value) };
    }
    ptx::barrier();
    // SAFETY: the slots of the warps, which have been written.
    let of_warp = |warp| unsafe { slot::<A>(warp).read() };
    if size_of::<A>() <= 8 || !warps.is_power_of_two() {
        return (1..warps).fold(of_warp(0), |total, warp| combine(total, of_warp(warp)));
    }
    // All of them are much to read and to combine: the lanes of the first warp take one each, and tell the others.
    if thread < WARP {
        let (mut total, mut distance) = (of_warp(thread % warps), warps / 2);
        while distance > 0 {
            total = combine(
                total,
                total.shuffle(|word| ptx::shuffle_down(word, distance)),
            );
            distance /= 2;
        }
        if thread == 0 {
            // SAFETY: this thread's alone, until the barrier.
            unsafe { slot::<A>(TOTAL).write(total) };
        }
    }
    ptx::barrier();
    of_warp(TOTAL)
}

/// Combines what `add` makes of the numbers below `end`, which the threads of the block share. All of them get it.
///
/// All threads of the block must come here.
#[inline(always)]
pub(in crate::grid) fn fold_block<A: Shuffle>(
    grid: Grid,
    end: usize,
    start: A,
    add: impl Fn(A, usize) -> A,
    combine: impl Fn(A, A) -> A,
) -> A {
    reduce_block(grid, grid.fold_numbers(end, start, add), combine)
}

/// Combines the values of the lanes up to this one.
#[inline(always)]
fn scan_warp<A: Shuffle>(mut value: A, lane: u32, merge: impl Fn(A, A) -> A) -> A {
    for distance in [1, 2, 4, 8, 16] {
        let before = value.shuffle(|word| ptx::shuffle_up(word, distance));
        if lane >= distance {
            value = merge(before, value);
        }
    }
    value
}

/// Combines the values of the threads up to this one, and of all in the block: first within every
/// warp, by shuffles.
///
/// All threads of the block must come here.
#[inline(always)]
fn scan_block<A: Shuffle>(grid: Grid, value: A, start: A, merge: impl Fn(A, A) -> A) -> (A, A) {
    let thread = grid.thread_in_block() as u32;
    let lane = thread % WARP;
    let value = scan_warp(value, lane, &merge);
    ptx::barrier(); // what an earlier reduction left has been read
    if lane == WARP - 1 {
        // SAFETY: this warp's slot.
        unsafe { slot::<A>(thread / WARP).write(value) };
    }
    ptx::barrier();
    let (mut before, mut all) = (start, start);
    for warp in 0..grid.threads_in_block() as u32 / WARP {
        if warp == thread / WARP {
            before = all;
        }
        // SAFETY: the slots of the warps, which have been written.
        all = merge(all, unsafe { slot::<A>(warp).read() });
    }
    (merge(before, value), all)
}

/// The threads of a block, which work on one element together.
pub struct Block(pub(super) Grid);

impl Team for Block {
    #[inline(always)]
    fn fold<A: Shuffle>(
        &mut self,
        end: usize,
        start: A,
        add: impl Fn(A, usize) -> A + Sync,
        combine: impl Fn(A, A) -> A + Sync,
    ) -> A {
        fold_block(self.0, end, start, add, combine)
    }
}

impl Share for Block {
    #[inline(always)]
    fn thread(&self) -> usize {
        self.0.thread_in_block()
    }

    #[inline(always)]
    fn threads(&self) -> usize {
        self.0.threads_in_block()
    }

    #[inline(always)]
    fn scan_threads<A: Shuffle>(&self, value: A, start: A, merge: impl Fn(A, A) -> A) -> (A, A) {
        scan_block(self.0, value, start, merge)
    }
}

/// 32 threads that work on one element together.
pub struct Warp {
    pub(super) lane: u32,
}

impl Warp {
    /// The sum of `f` over pairs of elements of `x` and `y`, which are equally long.
    ///
    /// All threads of the warp must come here, and all get the sum.
    #[inline(always)]
    #[track_caller]
    pub fn sum<A: Element, B: Element, M: Readable, N: Readable, S: Total>(
        &mut self,
        x: View<A, 1, M>,
        y: View<B, 1, N>,
        f: impl Fn(A, B) -> S + Sync,
    ) -> S {
        panic::check_lengths(x.len(), y.len());
        // SAFETY: inside the arrays.
        let term = |at: usize| unsafe {
            f(
                pack::load_one(x.start.add(at)),
                pack::load_one(y.start.add(at)),
            )
        };
        let (lane, warp, mut sum) = (self.lane as usize, WARP as usize, S::default());
        // Pairs of 4 elements of up to 4 bytes, or of 2: in 16 bytes of the larger.
        let mut done = 0;
        match pack::lanes(&[size_of::<A>(), size_of::<B>()]) {
            4.. => (sum, done) = self.packs::<A, B, S, 4>(x.start, y.start, x.len(), &f),
            2 => (sum, done) = self.packs::<A, B, S, 2>(x.start, y.start, x.len(), &f),
            _ => {}
        }
        stride(done + lane, x.len(), warp, |at| sum = sum + term(at));
        let sum = reduce_warp(sum, |a, b| a + b);
        sum.shuffle(ptx::shuffle_first)
    }

    /// The sum over the first elements, `L` at a time, and how many those are.
    #[inline(always)]
    fn packs<A: Element, B: Element, S: Total, const L: usize>(
        &self,
        x: *const A,
        y: *const B,
        len: usize,
        f: impl Fn(A, B) -> S,
    ) -> (S, usize) {
        let (lane, warp, mut sum) = (self.lane as usize, WARP as usize, S::default());
        let split =
            Split::of(L)
                .with(len, x.addr(), size_of::<A>())
                .with(len, y.addr(), size_of::<B>());
        if split.head >= warp {
            return (sum, 0); // they sit differently
        }
        if lane < split.head {
            // SAFETY: inside the arrays.
            sum = unsafe { f(pack::load_one(x.add(lane)), pack::load_one(y.add(lane))) };
        }
        // SAFETY: inside the arrays.
        let load = |pack| unsafe {
            let at = split.pack(pack);
            (
                load_constant::<A, L>(x.add(at)),
                load_constant::<B, L>(y.add(at)),
            )
        };
        let add =
            |sum: S, (xs, ys): &([A; L], [B; L])| (0..L).fold(sum, |sum, k| sum + f(xs[k], ys[k]));
        let mut index = lane;
        while index + (IN_FLIGHT - 1) * warp < split.packs() {
            let pairs: [_; IN_FLIGHT] = array::from_fn(|k| load(index + k * warp));
            sum = pairs.iter().fold(sum, add);
            index += IN_FLIGHT * warp;
        }
        stride(index, split.packs(), warp, |index| {
            sum = add(sum, &load(index))
        });
        (sum, split.pack(split.packs()))
    }
}

impl Team for Warp {
    #[inline(always)]
    fn fold<A: Shuffle>(
        &mut self,
        end: usize,
        start: A,
        add: impl Fn(A, usize) -> A + Sync,
        combine: impl Fn(A, A) -> A + Sync,
    ) -> A {
        let mut value = start;
        self.share(end, |number| value = add(value, number));
        reduce_warp(value, combine).shuffle(ptx::shuffle_first)
    }
}

impl Share for Warp {
    #[inline(always)]
    fn thread(&self) -> usize {
        self.lane as usize
    }

    #[inline(always)]
    fn threads(&self) -> usize {
        WARP as usize
    }

    #[inline(always)]
    fn scan_threads<A: Shuffle>(&self, value: A, _start: A, merge: impl Fn(A, A) -> A) -> (A, A) {
        let upto = scan_warp(value, self.lane, merge);
        (upto, upto.shuffle(|word| ptx::shuffle_from(word, WARP - 1)))
    }
}

// Shared memory for what the warps of a block tell each other.

/// Warps in a block at most.
const WARPS: usize = 32;

/// Bytes that a warp has.
const SLOT: usize = 64;

ptx::shared!(REDUCE_SCRATCH: (WARPS + 1) * SLOT);

/// The slot of all warps together.
const TOTAL: u32 = WARPS as u32;

/// Where the warp of this index leaves a value.
#[inline(always)]
pub(super) fn slot<A>(warp: u32) -> *mut A {
    const { assert!(size_of::<A>() <= SLOT && align_of::<A>() <= 16) };
    let slots = ptx::shared_address!(REDUCE_SCRATCH);
    // SAFETY: there is a slot for each warp, and one for all.
    unsafe { slots.add(warp as usize * SLOT).cast() }
}
