//! What parameters are in a pass of whole blocks, `block over x { … }`.

use super::{Atom, Complex, Element, In, Mut, Out, View, f16, panic};

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

    /// Adds to the element of this index, counted through all rows; stops the kernel where there is
    /// none.
    #[inline(always)]
    #[track_caller]
    pub fn add(&self, index: usize, value: T) {
        panic::check_index(index, self.0.len());
        // SAFETY: inside the array, which is only added to.
        unsafe { T::add(self.0.start.add(index), value) }
    }
}

/// What a parameter is in such a pass.
pub trait InOver {
    type As;
    fn in_over(self) -> Self::As;
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
    f16,
    f32,
    f64,
    Complex<f32>,
    Complex<f64>
);
