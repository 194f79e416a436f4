//! Numbers that threads add to at once, and the arrays of a pass of whole blocks, `block over x { … }`.

/// Replaces the bits of an element by what `$next` makes of them, until no other thread was faster or it makes nothing.
///
/// Not core's `fetch_update`, whose exchange is weak: of an element that is smaller than a word, the GPU would load its
/// neighbours again each time, maybe from a cache that does not see what other threads have made of them.
macro_rules! update {
    ($number:expr, $next:expr) => {{
        let (number, next) = ($number, $next);
        let mut seen = number.load(Relaxed);
        while let Some(bits) = next(seen) {
            match number.compare_exchange(seen, bits, Relaxed, Relaxed) {
                Ok(_) => break,
                Err(now) => seen = now,
            }
        }
    }};
}

mod add;
mod change;

#[cfg(not(target_arch = "nvptx64"))]
use core::cell::Cell;

use super::small_float::*;
use super::{Complex, Element, In, Indices, Mut, Out, View};

/// A number that threads can add to at once: of every dtype but bool.
#[diagnostic::on_unimplemented(
    message = "threads cannot add to `{Self}` at once",
    note = "they can to every number: i8 … i64, u8 … u64, bf16, the f8 formats, f16, f32, f64, complex64 and complex128"
)]
pub trait Atom: Element {
    /// # Safety
    /// The number must be there, and only be added to.
    unsafe fn add(to: *mut Self, value: Self);

    /// Adds to a number in shared memory, which `offset` says as well: so far from its start.
    ///
    /// # Safety
    /// The number must be there.
    #[cfg(target_arch = "nvptx64")]
    #[inline(always)]
    unsafe fn add_shared(to: *mut Self, _offset: u32, value: Self) {
        // SAFETY: the caller's.
        unsafe { <Self as Atom>::add(to, value) };
    }

    /// Adds to a number that no other thread has.
    #[cfg(not(target_arch = "nvptx64"))]
    fn add_alone(to: &Cell<Self>, value: Self);
}

/// An array that all threads add to.
#[derive(Clone, Copy)]
pub struct Atomic<'a, T, const R: usize>(View<'a, T, R, Out>);

impl<T: Atom, const R: usize> Atomic<'_, T, R> {
    /// The extents of the array.
    #[inline(always)]
    pub fn shape(&self) -> [usize; R] {
        self.0.shape()
    }

    /// Number of elements.
    #[inline(always)]
    pub fn len(&self) -> usize {
        self.0.len()
    }

    #[inline(always)]
    pub fn is_empty(&self) -> bool {
        self.0.is_empty()
    }

    /// Adds to the element of this index, `[row, column]` of two dimensions; stops the kernel where there
    /// is none.
    #[inline(always)]
    #[track_caller]
    pub fn add(&self, index: impl Indices<R>, value: T) {
        // SAFETY: inside the array, which is only added to.
        unsafe { T::add(self.place(index), value) }
    }

    /// The address of the element of this index; stops the kernel where there is none.
    #[inline(always)]
    #[track_caller]
    fn place(&self, index: impl Indices<R>) -> *mut T {
        self.0.place(index)
    }
}

/// Type of a parameter in such a pass.
pub trait InOver {
    type As;
    fn in_over(self) -> Self::As;
}

impl<T: Element, const N: usize> InOver for [T; N] {
    type As = Self;
    #[inline(always)]
    fn in_over(self) -> Self {
        self
    }
}

impl<T, const R: usize> InOver for Option<View<'_, T, R, In>> {
    type As = Self;
    #[inline(always)]
    fn in_over(self) -> Self {
        self
    }
}

impl<T, const R: usize> InOver for View<'_, T, R, In> {
    type As = Self;
    #[inline(always)]
    fn in_over(self) -> Self {
        self
    }
}

macro_rules! written {
    ($($mode:ty),*) => {
        $(
            impl<'a, T: Element, const R: usize> InOver for View<'a, T, R, $mode> {
                type As = Atomic<'a, T, R>;
                #[inline(always)]
                fn in_over(self) -> Self::As {
                    // SAFETY: the same array.
                    Atomic(unsafe { View::new(self.start, self.shape()) })
                }
            }
        )*
    };
}

written!(Mut, Out);

macro_rules! numbers {
    ($($number:ty),*) => {
        $(
            impl InOver for $number {
                type As = Self;
                #[inline(always)]
                fn in_over(self) -> Self {
                    self
                }
            }
        )*
    };
}

numbers!(
    bool,
    i8,
    u8,
    i16,
    u16,
    i32,
    u32,
    i64,
    u64,
    usize,
    f32,
    f64,
    Complex<f32>,
    Complex<f64>
);
for_small_floats!(types numbers);
