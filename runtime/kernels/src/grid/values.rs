//! The values of all threads of a block, on the CPU.

use core::mem::{MaybeUninit, transmute_copy};

use super::Shuffle;

/// Threads of a block. Their values are computed side by side by the CPU's vector units.
pub const THREADS: usize = 32;

/// Words of the largest value.
const WORDS: usize = 8;

/// A value for each thread. Of a struct, the same field of all threads lies together, so that vector
/// instructions load it.
pub struct Values<A> {
    words: [[MaybeUninit<u64>; THREADS]; WORDS],
    kind: core::marker::PhantomData<A>,
}

impl<A: Copy> Values<A> {
    /// Words of a value.
    const SIZE: usize = size_of::<A>().div_ceil(8);

    #[inline(always)]
    pub fn new(start: A) -> Self {
        const { assert!(size_of::<A>() <= 8 * WORDS && align_of::<A>() <= 16) };
        let mut values = Self {
            words: [[MaybeUninit::uninit(); THREADS]; WORDS],
            kind: core::marker::PhantomData,
        };
        for thread in 0..THREADS {
            values.set(thread, start);
        }
        values
    }

    #[inline(always)]
    pub fn get(&self, thread: usize) -> A {
        let word = |index: usize| self.words[index][thread];
        // SAFETY: these words were a value.
        unsafe {
            match Self::SIZE {
                1 => transmute_copy(&word(0)),
                2 => transmute_copy(&[word(0), word(1)]),
                _ => transmute_copy(&self.words.map(|of_all| of_all[thread])),
            }
        }
    }

    #[inline(always)]
    pub fn set(&mut self, thread: usize, value: A) {
        let mut words = [MaybeUninit::uninit(); WORDS];
        // SAFETY: there is room for it.
        unsafe { words.as_mut_ptr().cast::<A>().write_unaligned(value) };
        self.words[0][thread] = words[0];
        if Self::SIZE > 1 {
            self.words[1][thread] = words[1];
        }
        for (of_all, word) in self.words.iter_mut().zip(words).take(Self::SIZE).skip(2) {
            of_all[thread] = word;
        }
    }

    /// Combines them all, in the order of a warp's shuffles.
    #[inline(always)]
    pub fn combine(mut self, combine: impl Fn(A, A) -> A) -> A
    where
        A: Shuffle,
    {
        let mut distance = THREADS / 2;
        while distance > 0 {
            for thread in 0..distance {
                self.set(
                    thread,
                    combine(self.get(thread), self.get(thread + distance)),
                );
            }
            distance /= 2;
        }
        self.get(0)
    }
}
