//! Threads that each have a value of their own: `each y[i, j] by block of [16, 16] { … }`, and the lanes of a warp.
//!
//! All threads run the code outside of functions; one of them runs each function, which cannot
//! change the others' values. So barriers are between functions, and all threads come to them.

mod by_threads;
#[cfg(not(target_arch = "nvptx64"))]
mod cpu;
#[cfg(target_arch = "nvptx64")]
mod gpu;

pub use by_threads::ByThreads;
#[cfg(not(target_arch = "nvptx64"))]
pub use cpu::Own;
#[cfg(target_arch = "nvptx64")]
pub use gpu::Own;

use super::{Block, Grid, Shuffle, Team, Warp};

/// `N` threads that work together.
pub trait Threads<const N: usize> {
    /// Which one: its indices in the block, or its lane in a warp.
    type At;

    #[doc(hidden)]
    fn at(&self, thread: usize) -> Self::At;

    /// Where this thread is among them.
    #[cfg(target_arch = "nvptx64")]
    #[doc(hidden)]
    fn thread(&self) -> usize;

    /// Combines the values of all threads; each of them gets the result.
    #[cfg(target_arch = "nvptx64")]
    #[doc(hidden)]
    fn merge<S: Shuffle>(&mut self, value: S, merge: impl Fn(S, S) -> S) -> S;

    /// A value for each thread.
    #[inline(always)]
    fn own<S: Copy>(&self, f: impl Fn(Self::At) -> S + Sync) -> Own<S, N>
    where
        Self: Sized,
    {
        Own::new(self, f)
    }
}

/// The threads of a block, each of which has an element.
pub struct Tile<const R: usize, const N: usize> {
    pub(super) grid: Grid,
    pub(super) side: [usize; R],
}

impl<const R: usize, const N: usize> Tile<R, N> {
    #[inline(always)]
    pub(super) fn new(grid: Grid, side: [usize; R]) -> Self {
        Self { grid, side }
    }

    /// The indices of a number below the product of the sides.
    #[inline(always)]
    pub(super) fn index(&self, mut number: usize) -> [usize; R] {
        let mut index = [0; R];
        for axis in (0..R).rev() {
            index[axis] = number % self.side[axis];
            number /= self.side[axis];
        }
        index
    }

    /// Writes the tile of `y` that begins with this index.
    ///
    /// # Safety
    /// No other block has this tile.
    #[inline(always)]
    pub(super) unsafe fn write<Y: ByThreads<R, N>>(
        &mut self,
        y: &Y,
        first: [usize; R],
        f: impl FnOnce([usize; R], Y::Before, &mut Self) -> Y::Values,
    ) {
        // SAFETY: the caller's.
        let before = unsafe { y.before(self, first) };
        let values = f(first, before, self);
        // SAFETY: the caller's.
        unsafe { y.write(self, first, values) };
    }
}

impl<const R: usize, const N: usize> Threads<N> for Tile<R, N> {
    type At = [usize; R];

    #[inline(always)]
    fn at(&self, thread: usize) -> [usize; R] {
        self.index(thread)
    }

    #[cfg(target_arch = "nvptx64")]
    #[inline(always)]
    fn thread(&self) -> usize {
        self.grid.thread_in_block()
    }

    #[cfg(target_arch = "nvptx64")]
    #[inline(always)]
    fn merge<S: Shuffle>(&mut self, value: S, merge: impl Fn(S, S) -> S) -> S {
        super::target::reduce_block(self.grid, value, merge)
    }
}

impl<const R: usize, const N: usize> Team for Tile<R, N> {
    #[inline(always)]
    fn fold<A: Shuffle>(
        &mut self,
        end: usize,
        start: A,
        add: impl Fn(A, usize) -> A + Sync,
        combine: impl Fn(A, A) -> A + Sync,
    ) -> A {
        Block::of(self.grid).fold(end, start, add, combine)
    }
}

impl Threads<32> for Warp {
    type At = usize;

    #[inline(always)]
    fn at(&self, lane: usize) -> usize {
        lane
    }

    #[cfg(target_arch = "nvptx64")]
    #[inline(always)]
    fn thread(&self) -> usize {
        super::ptx::thread_in_block() as usize % 32
    }

    #[cfg(target_arch = "nvptx64")]
    #[inline(always)]
    fn merge<S: Shuffle>(&mut self, value: S, merge: impl Fn(S, S) -> S) -> S {
        super::target::reduce_warp(value, merge).shuffle(super::ptx::shuffle_first)
    }
}

/// How many tiles of these sides an array of this shape has.
#[must_use]
pub fn tiles<const R: usize>(shape: [usize; R], side: [usize; R]) -> usize {
    (0..R)
        .map(|axis| shape[axis].div_ceil(side[axis]))
        .product()
}

/// The first index of a tile.
#[inline(always)]
pub(super) fn first<const R: usize>(
    mut tile: usize,
    shape: [usize; R],
    side: [usize; R],
) -> [usize; R] {
    let mut first = [0; R];
    for axis in (0..R).rev() {
        let across = shape[axis].div_ceil(side[axis]);
        first[axis] = tile % across * side[axis];
        tile /= across;
    }
    first
}

/// The index of an element of a tile, and its place in the array, if it is in there.
#[inline(always)]
pub(super) fn inside<const R: usize>(
    first: [usize; R],
    at: [usize; R],
    shape: [usize; R],
) -> Option<([usize; R], usize)> {
    let (mut index, mut flat) = (first, 0);
    for axis in 0..R {
        index[axis] += at[axis];
        if index[axis] >= shape[axis] {
            return None;
        }
        flat = flat * shape[axis] + index[axis];
    }
    Some((index, flat))
}

/// The same index; the compiler knows that there is an element of it.
///
/// # Safety
/// There must be.
#[inline(always)]
pub(super) unsafe fn assumed_inside<const R: usize>(
    index: [usize; R],
    shape: [usize; R],
) -> [usize; R] {
    let mut inside = [0; R];
    for axis in 0..R {
        // SAFETY: the caller's.
        unsafe { core::hint::assert_unchecked(index[axis] < shape[axis]) };
        inside[axis] = index[axis];
    }
    inside
}
