//! Atomic operations on numbers besides addition: the same on both sides.

use core::sync::atomic::{AtomicI8, AtomicI16, AtomicI32, AtomicI64, Ordering::Relaxed};
use core::sync::atomic::{AtomicU8, AtomicU16, AtomicU32, AtomicU64};

use super::{Atom, Atomic};
use crate::grid::small_float::*;
use crate::grid::{Indices, Shared};

/// A number that threads change at once, and of which the largest or the smallest value may remain.
pub trait Change: Atom {
    /// # Safety
    /// The number must be there, and only be changed by functions such as this, in all of these.
    unsafe fn max(to: *mut Self, value: Self);

    /// # Safety
    /// As for [`max`](Change::max).
    unsafe fn min(to: *mut Self, value: Self);

    /// # Safety
    /// As for [`max`](Change::max).
    unsafe fn exchange(to: *mut Self, value: Self) -> Self;

    /// # Safety
    /// As for [`max`](Change::max).
    unsafe fn cas(to: *mut Self, expected: Self, value: Self) -> Self;

    /// # Safety
    /// As for [`max`](Change::max).
    unsafe fn get(from: *mut Self) -> Self;
}

/// A number whose bits are set and cleared.
pub trait ChangeBits: Change {
    /// # Safety
    /// As for [`max`](Change::max).
    unsafe fn and(to: *mut Self, bits: Self);

    /// # Safety
    /// As for [`max`](Change::max).
    unsafe fn or(to: *mut Self, bits: Self);
}

/// Operations of integers and floats: with a number's atomic, and conversions to and from its bits.
macro_rules! exchanges {
    ($atomic:ty, $to_bits:expr, $of_bits:expr) => {
        #[inline(always)]
        unsafe fn exchange(to: *mut Self, value: Self) -> Self {
            // SAFETY: the caller's, as in all of these.
            $of_bits(unsafe { <$atomic>::from_ptr(to.cast()) }.swap($to_bits(value), Relaxed))
        }

        #[inline(always)]
        unsafe fn cas(to: *mut Self, expected: Self, value: Self) -> Self {
            // SAFETY: the caller's.
            let number = unsafe { <$atomic>::from_ptr(to.cast()) };
            let was =
                number.compare_exchange($to_bits(expected), $to_bits(value), Relaxed, Relaxed);
            $of_bits(was.unwrap_or_else(|was| was))
        }

        #[inline(always)]
        unsafe fn get(from: *mut Self) -> Self {
            // SAFETY: the caller's.
            $of_bits(unsafe { <$atomic>::from_ptr(from.cast()) }.load(Relaxed))
        }
    };
}

macro_rules! integers {
    ($($type:ty: $atomic:ty),*) => {
        $(
            impl Change for $type {
                exchanges!($atomic, core::convert::identity, core::convert::identity);

                #[inline(always)]
                unsafe fn max(to: *mut Self, value: Self) {
                    // SAFETY: the caller's.
                    unsafe { <$atomic>::from_ptr(to) }.fetch_max(value, Relaxed);
                }

                #[inline(always)]
                unsafe fn min(to: *mut Self, value: Self) {
                    // SAFETY: the caller's.
                    unsafe { <$atomic>::from_ptr(to) }.fetch_min(value, Relaxed);
                }
            }

            impl ChangeBits for $type {
                #[inline(always)]
                unsafe fn and(to: *mut Self, bits: Self) {
                    // SAFETY: the caller's.
                    unsafe { <$atomic>::from_ptr(to) }.fetch_and(bits, Relaxed);
                }

                #[inline(always)]
                unsafe fn or(to: *mut Self, bits: Self) {
                    // SAFETY: the caller's.
                    unsafe { <$atomic>::from_ptr(to) }.fetch_or(bits, Relaxed);
                }
            }
        )*
    };
}

integers!(i8: AtomicI8, i16: AtomicI16, i32: AtomicI32, i64: AtomicI64);
integers!(u8: AtomicU8, u16: AtomicU16, u32: AtomicU32, u64: AtomicU64);

/// Checks whether a float of any type is not a number.
#[inline(always)]
fn is_nan<T: PartialOrd>(value: T) -> bool {
    value.partial_cmp(&value).is_none()
}

macro_rules! floats {
    ($($type:ty: $atomic:ty),*) => {
        $(
            /// NaNs remain.
            impl Change for $type {
                exchanges!($atomic, <$type>::to_bits, <$type>::from_bits);

                #[inline(always)]
                unsafe fn max(to: *mut Self, value: Self) {
                    // SAFETY: the caller's.
                    let number = unsafe { <$atomic>::from_ptr(to.cast()) };
                    let larger = |bits| (value > Self::from_bits(bits) || is_nan(value)).then_some(value.to_bits());
                    update!(number, larger); // or it is as large already
                }

                #[inline(always)]
                unsafe fn min(to: *mut Self, value: Self) {
                    // SAFETY: the caller's.
                    let number = unsafe { <$atomic>::from_ptr(to.cast()) };
                    let smaller = |bits| (value < Self::from_bits(bits) || is_nan(value)).then_some(value.to_bits());
                    update!(number, smaller); // as above
                }
            }
        )*
    };
}

for_small_floats!(atomics floats);
floats!(f32: AtomicU32, f64: AtomicU64);

/// The methods of arrays that threads change at once. They stop the kernel where there is no element of the index.
macro_rules! methods {
    ($([$($generic:tt)*] $of:ty, $index:ty;)*) => {
        $(
            impl<T: Change $($generic)*> $of {
                /// Makes the element of this index this value if that is larger; stops the kernel where there is none.
                #[inline(always)]
                #[track_caller]
                pub fn max(&self, index: $index, value: T) {
                    // SAFETY: inside the array, which is only changed so, in all of these.
                    unsafe { T::max(self.place(index), value) }
                }

                /// Makes the element of this index this value if that is smaller; stops the kernel where there is none.
                #[inline(always)]
                #[track_caller]
                pub fn min(&self, index: $index, value: T) {
                    // SAFETY: inside the array, which is only changed so.
                    unsafe { T::min(self.place(index), value) }
                }

                /// Makes the element of this index this value, and returns what it was; stops the kernel where there is
                /// none.
                #[inline(always)]
                #[track_caller]
                pub fn exchange(&self, index: $index, value: T) -> T {
                    // SAFETY: inside the array, which is only changed so.
                    unsafe { T::exchange(self.place(index), value) }
                }

                /// Makes the element of this index this value if it has the bits of `expected`, and returns what it was;
                /// stops the kernel where there is none.
                #[inline(always)]
                #[track_caller]
                pub fn cas(&self, index: $index, expected: T, value: T) -> T {
                    // SAFETY: inside the array, which is only changed so.
                    unsafe { T::cas(self.place(index), expected, value) }
                }
            }

            impl<T: ChangeBits $($generic)*> $of {
                /// Clears the bits of the element of this index that are not set here; stops the kernel where there is
                /// none.
                #[inline(always)]
                #[track_caller]
                pub fn and(&self, index: $index, bits: T) {
                    // SAFETY: inside the array, which is only changed so.
                    unsafe { T::and(self.place(index), bits) }
                }

                /// Sets these bits of the element of this index; stops the kernel where there is none.
                #[inline(always)]
                #[track_caller]
                pub fn or(&self, index: $index, bits: T) {
                    // SAFETY: inside the array, which is only changed so.
                    unsafe { T::or(self.place(index), bits) }
                }
            }
        )*
    };
}

methods! {
    [, const R: usize] Atomic<'_, T, R>, impl Indices<R>;
    [] Shared<T>, usize;
}

impl<T: Change, const R: usize> Atomic<'_, T, R> {
    /// The element of this index, as threads have it at this moment: what an earlier pass has written, if this one does
    /// not change it. Stops the kernel where there is none.
    #[inline(always)]
    #[track_caller]
    #[must_use]
    pub fn get(&self, index: impl Indices<R>) -> T {
        // SAFETY: inside the array, which is only changed so.
        unsafe { T::get(self.place(index)) }
    }
}
