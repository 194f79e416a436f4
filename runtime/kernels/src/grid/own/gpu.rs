//! Each thread has its own in registers.

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

    /// Calls `f` with the value of each thread.
    #[inline(always)]
    pub(in crate::grid) fn each<B: Threads<N>>(self, block: &B, mut f: impl FnMut(B::At, S)) {
        f(block.at(block.thread()), self.0);
    }

    /// Applies `f` to the value of each thread.
    #[inline(always)]
    #[must_use]
    pub fn map<B: Threads<N>, V: Copy>(
        &self,
        block: &B,
        f: impl Fn(B::At, S) -> V + Sync,
    ) -> Own<V, N> {
        Own(f(block.at(block.thread()), self.0))
    }

    /// Makes the value of each thread what `f` makes of it.
    #[inline(always)]
    pub fn update<B: Threads<N>>(&mut self, block: &B, f: impl Fn(B::At, S) -> S + Sync) {
        self.0 = f(block.at(block.thread()), self.0);
    }
}

impl Own<bool, 32> {
    /// A bit for each of the 32 threads, the lowest for the first: whether its value holds. Each of them gets it.
    #[inline(always)]
    #[must_use]
    pub fn ballot<B: Threads<32>>(&self, _block: &B) -> u32 {
        ptx::ballot(self.0)
    }
}

impl<S: Shuffle, const N: usize> Own<S, N> {
    /// Combines all values, in an order that `N` decides.
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
