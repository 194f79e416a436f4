//! One thread of the CPU has the values of all.

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

    /// Calls `f` with the value of each thread.
    #[inline(always)]
    pub(in crate::grid) fn each<B: Threads<N>>(self, block: &B, mut f: impl FnMut(B::At, S)) {
        for (thread, value) in self.0.into_iter().enumerate() {
            f(block.at(thread), value);
        }
    }

    /// Applies `f` to the value of each thread.
    #[inline(always)]
    #[must_use]
    pub fn map<B: Threads<N>, V: Copy>(
        &self,
        block: &B,
        f: impl Fn(B::At, S) -> V + Sync,
    ) -> Own<V, N> {
        Own(array::from_fn(|thread| f(block.at(thread), self.0[thread])))
    }

    /// Makes the value of each thread what `f` makes of it.
    #[inline(always)]
    pub fn update<B: Threads<N>>(&mut self, block: &B, f: impl Fn(B::At, S) -> S + Sync) {
        for (thread, value) in self.0.iter_mut().enumerate() {
            *value = f(block.at(thread), *value);
        }
    }
}

impl Own<bool, 32> {
    /// A bit for each of the 32 threads, the lowest for the first: whether its value holds. Each of them gets it.
    #[inline(always)]
    #[must_use]
    pub fn ballot<B: Threads<32>>(&self, _block: &B) -> u32 {
        let bits = self.0.iter().enumerate();
        bits.fold(0, |all, (lane, &holds)| all | u32::from(holds) << lane)
    }
}

impl<S: Shuffle, const N: usize> Own<S, N> {
    /// Combines all values, in an order that `N` decides.
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
