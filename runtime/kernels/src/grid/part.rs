//! What the blocks of a fold have come to, between its two passes.

use super::{Out, View, panic};

/// What a fold of a block has come to.
#[derive(Clone, Copy)]
#[repr(C, align(16))]
pub struct Part([u64; 8]);

/// Parts of a fold over so many elements: the same on every machine, so that equal input gives equal
/// bits.
#[must_use]
pub fn parts(len: usize) -> usize {
    len.div_ceil(2048).min(2048)
}

impl View<'_, Part, 1, Out> {
    /// # Safety
    /// No other thread has this index.
    #[inline(always)]
    pub unsafe fn put<A: Copy>(&self, index: usize, value: A) {
        const { assert!(size_of::<A>() <= size_of::<Part>() && align_of::<A>() <= align_of::<Part>()) };
        panic::check_index(index, self.len());
        // SAFETY: inside the array, and large enough.
        unsafe { self.start.add(index).cast::<A>().write(value) };
    }

    /// # Safety
    /// An `A` must have been put there by the pass before.
    #[inline(always)]
    pub unsafe fn get<A: Copy>(&self, index: usize) -> A {
        panic::check_index(index, self.len());
        // SAFETY: the caller's.
        unsafe { self.start.add(index).cast::<A>().read() }
    }
}
