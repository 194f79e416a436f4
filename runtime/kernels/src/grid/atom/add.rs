//! Adding to an element, of each dtype: by an instruction where the GPU has one, else by core's atomics, which
//! compare and exchange the aligned word that the element is in, on the GPU and on the CPU.

#[cfg(not(target_arch = "nvptx64"))]
use core::cell::Cell;
use core::sync::atomic::{AtomicI8, AtomicI16, AtomicU8, AtomicU16, Ordering::Relaxed};
#[cfg(not(target_arch = "nvptx64"))]
use core::sync::atomic::{AtomicI32, AtomicI64, AtomicU32, AtomicU64};

use super::Atom;
#[cfg(target_arch = "nvptx64")]
use crate::grid::ptx;
use crate::grid::small_float::*;
use crate::grid::{Complex, Element, Float};

#[cfg(target_arch = "nvptx64")]
macro_rules! instructions {
    ($($type:ty, $add:ident, $add_shared:ident, |$value:ident| $bits:expr;)*) => {
        $(
            impl Atom for $type {
                #[inline(always)]
                unsafe fn add(to: *mut Self, $value: Self) {
                    // SAFETY: the caller's.
                    unsafe { ptx::$add(to.cast(), $bits) };
                }

                #[inline(always)]
                unsafe fn add_shared(_to: *mut Self, offset: u32, $value: Self) {
                    // SAFETY: the caller's.
                    unsafe { ptx::$add_shared(offset, $bits) };
                }
            }
        )*
    };
}

#[cfg(target_arch = "nvptx64")]
instructions! {
    u32, add_u32, add_shared_u32, |value| value;
    i32, add_u32, add_shared_u32, |value| value.cast_unsigned();
    u64, add_u64, add_shared_u64, |value| value;
    i64, add_u64, add_shared_u64, |value| value.cast_unsigned();
    f32, add_f32, add_shared_f32, |value| value;
    f64, add_f64, add_shared_f64, |value| value;
}

macro_rules! integers {
    ($($type:ty: $atomic:ty),*) => {
        $(
            impl Atom for $type {
                #[inline(always)]
                unsafe fn add(to: *mut Self, value: Self) {
                    // SAFETY: the caller's.
                    unsafe { <$atomic>::from_ptr(to) }.fetch_add(value, Relaxed);
                }

                #[cfg(not(target_arch = "nvptx64"))]
                #[inline(always)]
                fn add_alone(to: &Cell<Self>, value: Self) {
                    to.set(to.get().wrapping_add(value));
                }
            }
        )*
    };
}

integers!(i8: AtomicI8, u8: AtomicU8, i16: AtomicI16, u16: AtomicU16);
#[cfg(not(target_arch = "nvptx64"))]
integers!(i32: AtomicI32, u32: AtomicU32, i64: AtomicI64, u64: AtomicU64);

macro_rules! floats {
    ($($type:ty: $atomic:ty),*) => {
        $(
            impl Atom for $type {
                #[inline(always)]
                unsafe fn add(to: *mut Self, value: Self) {
                    // SAFETY: the caller's.
                    let number = unsafe { <$atomic>::from_ptr(to.cast()) };
                    update!(number, |bits| Some((Self::from_bits(bits) + value).to_bits()));
                }

                #[cfg(not(target_arch = "nvptx64"))]
                #[inline(always)]
                fn add_alone(to: &Cell<Self>, value: Self) {
                    to.set(to.get() + value);
                }
            }
        )*
    };
}

for_small_floats!(atomics floats);
#[cfg(not(target_arch = "nvptx64"))]
floats!(f32: AtomicU32, f64: AtomicU64);

/// The parts one after the other: their sums are right, and between them others may add.
impl<F: Float + Atom> Atom for Complex<F>
where
    Self: Element,
{
    #[inline(always)]
    unsafe fn add(to: *mut Self, value: Self) {
        let parts: *mut F = to.cast();
        // SAFETY: the caller's; a complex number is its two parts.
        unsafe {
            <F as Atom>::add(parts, value.re);
            <F as Atom>::add(parts.add(1), value.im);
        }
    }

    #[cfg(target_arch = "nvptx64")]
    #[inline(always)]
    unsafe fn add_shared(to: *mut Self, offset: u32, value: Self) {
        let parts: *mut F = to.cast();
        // SAFETY: the caller's; a complex number is its two parts.
        unsafe {
            F::add_shared(parts, offset, value.re);
            F::add_shared(parts.add(1), offset + size_of::<F>() as u32, value.im);
        }
    }

    #[cfg(not(target_arch = "nvptx64"))]
    #[inline(always)]
    fn add_alone(to: &Cell<Self>, value: Self) {
        to.set(to.get() + value);
    }
}
