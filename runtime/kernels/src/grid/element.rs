//! Types of array elements.

use super::Complex;
use super::small_float::*;

/// A number that arrays hold.
///
/// # Safety
/// `read` and `borrow` must make a value of any bytes.
#[diagnostic::on_unimplemented(
    message = "`{Self}` is not a dtype",
    note = "dtypes are bool, i8 … i64, u8 … u64, bf16, the f8 formats, f16, f32, f64, complex64 and complex128"
)]
pub unsafe trait Element: Copy + Default + Send + Sync + 'static {
    /// Makes elements of bytes that came from anywhere.
    ///
    /// # Safety
    /// They must be bytes of elements but for their values.
    #[inline(always)]
    unsafe fn valid<P: Copy>(pack: core::mem::MaybeUninit<P>) -> P {
        // SAFETY: any bytes are a number.
        unsafe { pack.assume_init() }
    }

    /// # Safety
    /// There must be an element, which is not written meanwhile.
    #[inline(always)]
    unsafe fn borrow<'a>(from: *const Self) -> &'a Self {
        // SAFETY: the caller's.
        unsafe { &*from }
    }
}

/// A number, or an array of numbers, in a struct: any bytes are one.
///
/// # Safety
/// Any bytes must be a value of the type.
#[diagnostic::on_unimplemented(
    message = "a struct has no `{Self}`",
    note = "its members are numbers of dtypes other than bool, and arrays of them"
)]
pub unsafe trait AnyBytes: Copy {}

// SAFETY: as its items.
unsafe impl<T: AnyBytes, const N: usize> AnyBytes for [T; N] {}

/// Compiles for such types.
pub const fn of_any_bytes<T: AnyBytes>() {}

macro_rules! elements {
    ($($element:ty),*) => {
        // SAFETY: any bytes are a number.
        $(unsafe impl Element for $element {})*
        // SAFETY: any bytes are one of these numbers.
        $(unsafe impl AnyBytes for $element {})*
    };
}

elements!(
    i8,
    u8,
    i16,
    u16,
    i32,
    u32,
    i64,
    u64,
    f32,
    f64,
    Complex<f32>,
    Complex<f64>
);
for_small_floats!(types elements);

// SAFETY: what is not 0 is true.
unsafe impl Element for bool {
    #[inline(always)]
    unsafe fn valid<P: Copy>(mut pack: core::mem::MaybeUninit<P>) -> P {
        let bytes = pack.as_mut_ptr().cast::<u8>();
        for at in 0..size_of::<P>() {
            // SAFETY: inside the pack, which is of bytes.
            unsafe { bytes.add(at).write(u8::from(bytes.add(at).read() != 0)) };
        }
        // SAFETY: all are 0 or 1.
        unsafe { pack.assume_init() }
    }

    #[inline(always)]
    unsafe fn borrow<'a>(from: *const Self) -> &'a Self {
        // SAFETY: the caller's.
        if unsafe { from.cast::<u8>().read() } != 0 {
            &true
        } else {
            &false
        }
    }
}
