//! The grid on the CPU: a thread runs a block, and the block all its threads in turn.

use core::mem::MaybeUninit;

use super::values::{THREADS, Values};
use super::view::Before;
use super::{Element, Layout, Shuffle, Split, Target, Total, View, pack, panic};

/// Elements of a fold that are loaded together, of `_lanes` that the GPU would load.
#[must_use]
pub const fn fold_lanes(_lanes: usize) -> usize {
    THREADS
}

/// Loads elements that lie together.
///
/// # Safety
/// They must be there.
#[inline(always)]
pub(super) unsafe fn load_written<T: Element, const L: usize>(from: *const T) -> [T; L] {
    // SAFETY: the caller's.
    unsafe { T::valid(from.cast::<MaybeUninit<[T; L]>>().read()) }
}

pub(super) use load_written as load_constant;

/// # Safety
/// As above, and no other thread has the elements.
#[inline(always)]
pub(super) unsafe fn store<T: Element, const L: usize>(to: *mut T, pack: [T; L]) {
    // SAFETY: the caller's.
    unsafe { to.cast::<[T; L]>().write(pack) };
}

/// The block that this is, and of how many.
#[derive(Clone, Copy)]
pub struct Grid {
    block: usize,
    blocks: usize,
}

impl Grid {
    #[must_use]
    pub fn new(block: usize, blocks: usize) -> Self {
        Self { block, blocks }
    }

    /// The block's share of so many elements, in multiples of some.
    fn share(self, count: usize, multiple: usize) -> (usize, usize) {
        let length = count.div_ceil(self.blocks).next_multiple_of(multiple);
        let start = count.min(self.block * length);
        (start, start + length.min(count - start))
    }

    /// Index of the block in the grid.
    #[inline(always)]
    #[must_use]
    pub fn block(self) -> usize {
        self.block
    }

    /// Number of blocks in the grid.
    #[inline(always)]
    #[must_use]
    pub fn blocks(self) -> usize {
        self.blocks
    }

    #[inline(always)]
    pub fn elements(self, split: Split, _packs: impl FnMut(usize), mut single: impl FnMut(usize)) {
        let (start, end) = self.share(split.len, THREADS);
        for at in start..end {
            single(at);
        }
    }

    #[inline(always)]
    pub fn each<T: Element, const R: usize, M: Before<T>, L: Layout>(
        self,
        y: Target<T, R, M, L>,
        f: impl Fn([usize; R], M::Before) -> T,
    ) {
        let (y, shape) = (y.0, y.0.shape());
        let (start, end) = self.share(y.len(), 1);
        let (mut index, mut rest) = ([0; R], start);
        for axis in (0..R).rev() {
            index[axis] = rest % shape[axis].max(1);
            rest /= shape[axis].max(1);
        }
        for at in start..end {
            // SAFETY: this block's share.
            unsafe {
                let to = y.at(index, at);
                to.write(f(index, M::before(to)));
            }
            for axis in (0..R).rev() {
                index[axis] += 1;
                if index[axis] < shape[axis] {
                    break;
                }
                index[axis] = 0;
            }
        }
    }

    #[inline(always)]
    pub fn each_by_warp<T: Element, const R: usize, M: Before<T>, L: Layout>(
        self,
        y: Target<T, R, M, L>,
        f: impl Fn([usize; R], M::Before, Warp) -> T,
    ) {
        self.each(y, |index, before| f(index, before, Warp));
    }

    #[inline(always)]
    pub fn each_by_tile<T: Element, M: Before<T>>(
        self,
        y: Target<T, 2, M>,
        _load: impl Fn([usize; 2]),
        f: impl Fn([usize; 2], M::Before, [usize; 2]) -> T,
    ) {
        self.each(y, |index, before| f(index, before, index));
    }

    /// Calls `f` with each number below `count`, each on one thread of all blocks.
    pub fn each_index(self, count: usize, f: impl Fn(usize)) {
        let (start, end) = self.share(count, 1);
        (start..end).for_each(f);
    }

    /// Calls `f` with every element of `x` that is this thread's.
    #[inline(always)]
    pub fn each_of<T: Element, const R: usize, M>(self, x: View<T, R, M>, f: impl Fn(T)) {
        let (start, end) = self.share(x.len(), 1);
        for at in start..end {
            // SAFETY: inside the array.
            f(unsafe { pack::load_one(x.start.add(at)) });
        }
    }

    /// Waits for all threads of the block.
    #[inline(always)]
    pub fn wait(self) {}

    /// Calls `f` with this thread's share, in the block, of the numbers below `end`.
    #[inline(always)]
    pub fn numbers(self, end: usize, f: impl FnMut(usize)) {
        (0..end).for_each(f);
    }

    #[inline(always)]
    pub fn fold<A: Copy, P, const L: usize>(
        self,
        split: Split,
        start: A,
        load: impl Fn(usize) -> P,
        add: impl Fn(A, &P, usize) -> A,
        add_one: impl Fn(A, usize) -> A,
    ) -> Values<A> {
        let (first, end) = self.share(split.len, THREADS);
        let whole = end - (end - first) % THREADS;
        let mut values = Values::new(start);
        for at in (first..whole).step_by(THREADS) {
            let pack = load(at);
            for lane in 0..THREADS {
                values.set(lane, add(values.get(lane), &pack, lane));
            }
        }
        for (lane, at) in (whole..end).enumerate() {
            values.set(lane, add_one(values.get(lane), at));
        }
        values
    }

    /// The value of a block that folds numbers below `end` one after the other.
    #[inline(always)]
    pub fn fold_numbers<A: Copy>(
        self,
        end: usize,
        start: A,
        add: impl Fn(A, usize) -> A,
    ) -> Values<A> {
        let mut values = Values::new(start);
        for number in 0..end {
            let lane = number % THREADS;
            values.set(lane, add(values.get(lane), number));
        }
        values
    }

    /// Combines the values of the block's threads, in the order of a warp's shuffles.
    #[inline(always)]
    pub fn reduce<A: Shuffle>(self, values: Values<A>, combine: impl Fn(A, A) -> A) -> Option<A> {
        Some(values.combine(combine))
    }
}

/// Combines them all, in the order of a warp's shuffles.
#[inline(always)]
fn halve<A: Copy>(mut values: [A; THREADS], combine: impl Fn(A, A) -> A) -> A {
    let mut distance = THREADS / 2;
    while distance > 0 {
        for thread in 0..distance {
            values[thread] = combine(values[thread], values[thread + distance]);
        }
        distance /= 2;
    }
    values[0]
}

/// Threads that work on one element together.
#[derive(Clone, Copy)]
pub struct Warp;

impl Warp {
    /// The sum of `f` over pairs of elements of `x` and `y`, which are equally long.
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
        let mut sums = [S::default(); THREADS];
        let mut at = 0;
        while at + THREADS <= x.len() {
            for (lane, sum) in sums.iter_mut().enumerate() {
                *sum = *sum + term(at + lane);
            }
            at += THREADS;
        }
        for (lane, sum) in sums.iter_mut().enumerate() {
            if at + lane < x.len() {
                *sum = *sum + term(at + lane);
            }
        }
        halve(sums, |a, b| a + b)
    }

    /// The sum of `f` over the numbers below `end`.
    #[inline(always)]
    pub fn sum_of<S: Total>(self, end: usize, f: impl Fn(usize) -> S) -> S {
        let mut sums = [S::default(); THREADS];
        for number in 0..end {
            sums[number % THREADS] = sums[number % THREADS] + f(number);
        }
        halve(sums, |a, b| a + b)
    }
}
