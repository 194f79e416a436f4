//! What the threads of a warp do together.

use core::array;

use super::{IN_FLIGHT, WARP, load_constant, stride};
use crate::grid::{Element, Shuffle, Split, Total, View, pack, panic, ptx};

/// What all lanes come to; lane 0 gets it.
#[inline(always)]
pub(super) fn reduce_warp<A: Shuffle>(mut value: A, combine: impl Fn(A, A) -> A) -> A {
    for distance in [16, 8, 4, 2, 1] {
        value = combine(
            value,
            value.shuffle(|word| ptx::shuffle_down(word, distance)),
        );
    }
    value
}

/// Threads that work on one element together.
#[derive(Clone, Copy)]
pub struct Warp {
    pub(super) lane: u32,
}

impl Warp {
    /// The sum of `f` over pairs of elements of `x` and `y`, which are equally long.
    ///
    /// All threads of the warp must come here, and all get the sum.
    #[inline(always)]
    #[track_caller]
    pub fn sum<A: Element, B: Element, M, N, S: Total>(
        self,
        x: View<A, 1, M>,
        y: View<B, 1, N>,
        f: impl Fn(A, B) -> S,
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
        self,
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

    /// The sum of `f` over the numbers below `end`.
    ///
    /// All threads of the warp must come here, and all get the sum.
    #[inline(always)]
    pub fn sum_of<S: Total>(self, end: usize, f: impl Fn(usize) -> S) -> S {
        let mut sum = S::default();
        stride(self.lane as usize, end, WARP as usize, |number| {
            sum = sum + f(number)
        });
        let sum = reduce_warp(sum, |a, b| a + b);
        sum.shuffle(ptx::shuffle_first)
    }
}

// Shared memory for what the warps of a block tell each other.

/// Warps in a block at most.
const WARPS: usize = 32;

/// Bytes that a warp has.
const SLOT: usize = 64;

ptx::shared!(REDUCE_SCRATCH: WARPS * SLOT);

/// Where the warp of this index leaves a value.
#[inline(always)]
pub(super) fn slot<A>(warp: u32) -> *mut A {
    const { assert!(size_of::<A>() <= SLOT && align_of::<A>() <= 16) };
    let slots = ptx::shared_address!(REDUCE_SCRATCH);
    // SAFETY: there are as many slots as warps.
    unsafe { slots.add(warp as usize * SLOT).cast() }
}
