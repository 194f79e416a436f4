//! Results of which a function finds how much there is: `index: i64[at most n]`.

#[cfg(not(target_arch = "nvptx64"))]
use core::sync::atomic::{AtomicI64, Ordering};

use super::{Element, InOver, Out, View, Written};

/// Memory for a result, and the number of what is there. This is also what the GPU is given for it.
#[repr(C)]
#[derive(Clone, Copy)]
pub struct Found<'a, T, const R: usize> {
    room: View<'a, T, R, Out>,
    count: *mut i64,
}

// SAFETY: each thread writes to places of its own.
unsafe impl<T: Send, const R: usize> Send for Found<'_, T, R> {}
// SAFETY: threads that share it each write to places of their own.
unsafe impl<T: Sync, const R: usize> Sync for Found<'_, T, R> {}

#[cfg(target_arch = "nvptx64")]
impl<'a, T, const R: usize> Found<'a, T, R> {
    /// # Safety
    /// The core must count there, for this call alone.
    #[inline(always)]
    pub(super) unsafe fn new(room: View<'a, T, R, Out>, count: *mut i64) -> Self {
        Self { room, count }
    }
}

impl<T: Element> Found<'_, T, 1> {
    /// Adds an element, in no particular order. What there is no room for is only counted: an error of
    /// the call.
    #[inline(always)]
    pub fn push(&self, value: T) {
        if let Some(at) = self.next() {
            // SAFETY: inside the array, and no other thread has this place.
            unsafe { self.room.start.add(at).write(value) };
        }
    }
}

impl<T: Element> Found<'_, T, 2> {
    /// Adds a row, of `element(0)` and so on; as [`push`](Found::push).
    #[inline(always)]
    pub fn push_row(&self, element: impl Fn(usize) -> T) {
        let [_, size] = self.room.shape();
        if let Some(at) = self.next() {
            for i in 0..size {
                // SAFETY: inside the array, in the row that no other thread has.
                unsafe { self.room.start.add(at * size + i).write(element(i)) };
            }
        }
    }
}

impl<T, const R: usize> Found<'_, T, R> {
    /// As many as there can be.
    #[inline(always)]
    pub fn len(&self) -> usize {
        self.room.shape()[0]
    }

    #[inline(always)]
    pub fn is_empty(&self) -> bool {
        self.len() == 0
    }

    /// A place for one more.
    #[inline(always)]
    fn next(&self) -> Option<usize> {
        // SAFETY: where the core counts for this call, and nobody else.
        let at = unsafe { increment(self.count) } as usize; // from 0 on
        (at < self.len()).then_some(at)
    }
}

#[cfg(target_arch = "nvptx64")]
use super::ptx::increment;

/// Adds one, at once with other threads, and returns what was there.
#[cfg(not(target_arch = "nvptx64"))]
#[inline(always)]
unsafe fn increment(number: *mut i64) -> i64 {
    // SAFETY: the caller's.
    unsafe { AtomicI64::from_ptr(number) }.fetch_add(1, Ordering::Relaxed)
}

impl<T, const R: usize> InOver for Found<'_, T, R> {
    type As = Self;
    #[inline(always)]
    fn in_over(self) -> Self {
        self
    }
}

impl<T, const R: usize> Written for Found<'_, T, R> {
    type As = ();
    type Again = ();
    fn readable(self) {}
    fn again(self) {}
}
