//! Threads that each have a value of their own: `each y[i, j] by block of [16, 16] { … }`, and the lanes of a warp.
//!
//! What is said once, all threads do; what one of them does is said in functions, which cannot change what the
//! others have. So barriers are between functions, and all threads come to them.

#[cfg(not(target_arch = "nvptx64"))]
pub use cpu::Own;
#[cfg(target_arch = "nvptx64")]
pub use gpu::Own;

use super::{Grid, Shuffle, Warp};

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

    /// What all values of the threads come to; each of them gets it.
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
        super::ptx::thread_in_block() as usize
    }

    #[cfg(target_arch = "nvptx64")]
    #[inline(always)]
    fn merge<S: Shuffle>(&mut self, value: S, merge: impl Fn(S, S) -> S) -> S {
        super::target::reduce_block(value, merge)
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

/// One thread of the CPU has the values of all.
#[cfg(not(target_arch = "nvptx64"))]
mod cpu {
    use core::array;

    use super::{Shuffle, Threads};

    /// Threads of a warp.
    const WARP: usize = 32;

    /// A value that each of `N` threads has.
    #[derive(Clone)]
    pub struct Own<S, const N: usize>(pub(in crate::grid) [S; N]);

    impl<S: Copy, const N: usize> Own<S, N> {
        #[inline(always)]
        pub(in crate::grid) fn new<B: Threads<N>>(block: &B, f: impl Fn(B::At) -> S) -> Self {
            Self(array::from_fn(|thread| f(block.at(thread))))
        }

        /// Makes the value of each thread what `f` makes of it.
        #[inline(always)]
        pub fn update<B: Threads<N>>(&mut self, block: &B, f: impl Fn(B::At, S) -> S + Sync) {
            for (thread, value) in self.0.iter_mut().enumerate() {
                *value = f(block.at(thread), *value);
            }
        }
    }

    impl<S: Shuffle, const N: usize> Own<S, N> {
        /// What all values come to, in an order that `N` decides.
        #[inline(always)]
        #[must_use]
        pub fn reduce<B: Threads<N>>(&self, _block: &mut B, merge: impl Fn(S, S) -> S + Sync) -> S {
            let of_warp = |warp: usize| {
                let mut values: [S; WARP] = array::from_fn(|lane| self.0[warp * WARP + lane]);
                for distance in [16, 8, 4, 2, 1] {
                    for lane in 0..distance {
                        values[lane] = merge(values[lane], values[lane + distance]);
                    }
                }
                values[0]
            };
            (1..N / WARP).fold(of_warp(0), |total, warp| merge(total, of_warp(warp)))
        }

        /// Makes the value of each thread what `merge` makes of it and of the value that the lane `from(lane)` of its
        /// warp of 32 threads has.
        #[inline(always)]
        pub fn exchange<B: Threads<N>>(
            &mut self,
            _block: &mut B,
            from: impl Fn(usize) -> usize + Sync,
            merge: impl Fn(S, S) -> S + Sync,
        ) {
            self.0 = array::from_fn(|thread| {
                let (lane, warp) = (thread % WARP, thread - thread % WARP);
                merge(self.0[thread], self.0[warp + from(lane) % WARP])
            });
        }
    }
}

/// Each thread has its own in registers.
#[cfg(target_arch = "nvptx64")]
mod gpu {
    use super::{Shuffle, Threads};
    use crate::grid::ptx;

    /// A value that each of `N` threads has.
    #[derive(Clone)]
    pub struct Own<S, const N: usize>(pub(in crate::grid) S);

    impl<S: Copy, const N: usize> Own<S, N> {
        #[inline(always)]
        pub(in crate::grid) fn new<B: Threads<N>>(block: &B, f: impl Fn(B::At) -> S) -> Self {
            Self(f(block.at(block.thread())))
        }

        /// Makes the value of each thread what `f` makes of it.
        #[inline(always)]
        pub fn update<B: Threads<N>>(&mut self, block: &B, f: impl Fn(B::At, S) -> S + Sync) {
            self.0 = f(block.at(block.thread()), self.0);
        }
    }

    impl<S: Shuffle, const N: usize> Own<S, N> {
        /// What all values come to, in an order that `N` decides.
        #[inline(always)]
        #[must_use]
        pub fn reduce<B: Threads<N>>(&self, block: &mut B, merge: impl Fn(S, S) -> S + Sync) -> S {
            block.merge(self.0, merge)
        }

        /// Makes the value of each thread what `merge` makes of it and of the value that the lane `from(lane)` of its
        /// warp of 32 threads has.
        #[inline(always)]
        pub fn exchange<B: Threads<N>>(
            &mut self,
            block: &mut B,
            from: impl Fn(usize) -> usize + Sync,
            merge: impl Fn(S, S) -> S + Sync,
        ) {
            let lane = from(block.thread() % 32) as u32 % 32;
            self.0 = merge(self.0, self.0.shuffle(|word| ptx::shuffle_from(word, lane)));
        }
    }
}
