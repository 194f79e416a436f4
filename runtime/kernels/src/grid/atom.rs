//! Numbers that threads add to at once, and the arrays of a pass of whole blocks, `block over x { … }`.

mod change;

#[cfg(not(target_arch = "nvptx64"))]
use core::cell::Cell;
#[cfg(not(target_arch = "nvptx64"))]
use core::sync::atomic::{AtomicI32, AtomicI64, AtomicU32, AtomicU64, Ordering};

#[cfg(target_arch = "nvptx64")]
use super::ptx;
use super::{Complex, Element, In, Mut, Out, View, bf16, f8e4m3, f8e5m2, f16, panic};

/// A number that threads can add to at once: i32, u32, i64, u64, f32 and f64.
pub trait Atom: Element {
    /// # Safety
    /// The number must be there, and only be added to.
    unsafe fn add(to: *mut Self, value: Self);

    /// Adds to a number in shared memory.
    ///
    /// # Safety
    /// The number must be there.
    #[cfg(target_arch = "nvptx64")]
    unsafe fn add_shared(to: u32, value: Self);

    /// Adds to a number that no other thread has.
    #[cfg(not(target_arch = "nvptx64"))]
    fn add_alone(to: &Cell<Self>, value: Self);
}

#[cfg(target_arch = "nvptx64")]
macro_rules! atoms {
    ($($type:ty, $add:ident, $add_shared:ident, |$value:ident| $bits:expr;)*) => {
        $(
            impl Atom for $type {
                #[inline(always)]
                unsafe fn add(to: *mut Self, $value: Self) {
                    // SAFETY: the caller's.
                    unsafe { ptx::$add(to.cast(), $bits) };
                }

                #[inline(always)]
                unsafe fn add_shared(to: u32, $value: Self) {
                    // SAFETY: the caller's.
                    unsafe { ptx::$add_shared(to, $bits) };
                }
            }
        )*
    };
}

#[cfg(target_arch = "nvptx64")]
atoms! {
    u32, add_u32, add_shared_u32, |value| value;
    i32, add_u32, add_shared_u32, |value| value.cast_unsigned();
    u64, add_u64, add_shared_u64, |value| value;
    i64, add_u64, add_shared_u64, |value| value.cast_unsigned();
    f32, add_f32, add_shared_f32, |value| value;
    f64, add_f64, add_shared_f64, |value| value;
}

#[cfg(not(target_arch = "nvptx64"))]
macro_rules! integers {
    ($($type:ty: $atomic:ty),*) => {
        $(
            impl Atom for $type {
                #[inline(always)]
                unsafe fn add(to: *mut Self, value: Self) {
                    // SAFETY: the caller's.
                    unsafe { <$atomic>::from_ptr(to) }.fetch_add(value, Ordering::Relaxed);
                }

                #[inline(always)]
                fn add_alone(to: &Cell<Self>, value: Self) {
                    to.set(to.get().wrapping_add(value));
                }
            }
        )*
    };
}

#[cfg(not(target_arch = "nvptx64"))]
integers!(i32: AtomicI32, u32: AtomicU32, i64: AtomicI64, u64: AtomicU64);

#[cfg(not(target_arch = "nvptx64"))]
macro_rules! floats {
    ($($type:ty: $atomic:ty),*) => {
        $(
            impl Atom for $type {
                #[inline(always)]
                unsafe fn add(to: *mut Self, value: Self) {
                    // SAFETY: the caller's.
                    let number = unsafe { <$atomic>::from_ptr(to.cast()) };
                    let plus = |bits| Some((Self::from_bits(bits) + value).to_bits());
                    // It never gives up.
                    let _ = number.fetch_update(Ordering::Relaxed, Ordering::Relaxed, plus);
                }

                #[inline(always)]
                fn add_alone(to: &Cell<Self>, value: Self) {
                    to.set(to.get() + value);
                }
            }
        )*
    };
}

#[cfg(not(target_arch = "nvptx64"))]
floats!(f32: AtomicU32, f64: AtomicU64);

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
        unsafe { T::add(self.place(index), value) }
    }

    #[inline(always)]
    fn place(&self, index: usize) -> *mut T {
        self.0.start.wrapping_add(index)
    }
}

/// What a parameter is in such a pass.
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
    bf16,
    f8e4m3,
    f8e5m2,
    f16,
    f32,
    f64,
    Complex<f32>,
    Complex<f64>
);
