//! What threads do to a number at once, besides adding to it: the same on both sides.

use core::sync::atomic::{AtomicI32, AtomicI64, AtomicU32, AtomicU64, Ordering::Relaxed};

/// A number of which the largest or the smallest value remains.
pub trait Change {
    /// # Safety
    /// The number must be there, and only be changed by functions such as this.
    unsafe fn max(to: *mut Self, value: Self);

    /// # Safety
    /// As above.
    unsafe fn min(to: *mut Self, value: Self);
}

/// A number whose bits are set and cleared.
pub trait ChangeBits {
    /// # Safety
    /// As above.
    unsafe fn and(to: *mut Self, bits: Self);

    /// # Safety
    /// As above.
    unsafe fn or(to: *mut Self, bits: Self);
}

macro_rules! integers {
    ($($type:ty: $atomic:ty),*) => {
        $(
            impl Change for $type {
                #[inline(always)]
                unsafe fn max(to: *mut Self, value: Self) {
                    // SAFETY: the caller's, as in all of these.
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

integers!(i32: AtomicI32, u32: AtomicU32, i64: AtomicI64, u64: AtomicU64);

macro_rules! floats {
    ($($type:ty: $atomic:ty),*) => {
        $(
            /// What is not a number remains.
            impl Change for $type {
                #[inline(always)]
                unsafe fn max(to: *mut Self, value: Self) {
                    // SAFETY: the caller's.
                    let number = unsafe { <$atomic>::from_ptr(to.cast()) };
                    let larger = |bits| (value > Self::from_bits(bits) || value.is_nan()).then_some(value.to_bits());
                    let _ = number.fetch_update(Relaxed, Relaxed, larger); // or it is as large already
                }

                #[inline(always)]
                unsafe fn min(to: *mut Self, value: Self) {
                    // SAFETY: the caller's.
                    let number = unsafe { <$atomic>::from_ptr(to.cast()) };
                    let smaller = |bits| (value < Self::from_bits(bits) || value.is_nan()).then_some(value.to_bits());
                    let _ = number.fetch_update(Relaxed, Relaxed, smaller); // as above
                }
            }
        )*
    };
}

floats!(f32: AtomicU32, f64: AtomicU64);
