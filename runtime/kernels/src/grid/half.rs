//! float16: kept as 16 bits, computed with as float32.

use core::cmp::Ordering;
use core::ops::{Add, AddAssign, Div, DivAssign, Mul, MulAssign, Neg, Sub, SubAssign};

use super::Shuffle;

/// float16. Every operation is one of float32 whose result is rounded.
#[allow(non_camel_case_types)] // a dtype, as f32 is
#[derive(Clone, Copy, Debug, Default)]
#[repr(transparent)]
pub struct f16(u16);

impl f16 {
    #[must_use]
    pub const fn from_bits(bits: u16) -> Self {
        Self(bits)
    }

    #[must_use]
    pub const fn to_bits(self) -> u16 {
        self.0
    }
}

impl From<f16> for f32 {
    /// Exact.
    #[inline(always)]
    fn from(value: f16) -> Self {
        from_half(value.0)
    }
}

impl From<f32> for f16 {
    /// To the nearest, of two the even one.
    #[inline(always)]
    fn from(value: f32) -> Self {
        Self(to_half(value))
    }
}

#[cfg(target_arch = "nvptx64")]
use super::ptx::float::{from_half, to_half};

#[cfg(not(target_arch = "nvptx64"))]
#[inline(always)]
fn from_half(bits: u16) -> f32 {
    let sign = u32::from(bits & 0x8000) << 16;
    let magnitude = u32::from(bits & 0x7fff);
    // The exponent counts from 15 there and from 127 here: a product says so, also of small numbers,
    // which have none.
    let number = f32::from_bits(magnitude << 13) * f32::from_bits((254 - 15) << 23);
    let number = if magnitude >= 0x7c00 {
        f32::from_bits(0x7f80_0000 | magnitude << 13) // infinite, or not a number
    } else {
        number
    };
    f32::from_bits(number.to_bits() | sign)
}

#[cfg(not(target_arch = "nvptx64"))]
#[inline(always)]
fn to_half(value: f32) -> u16 {
    let bits = value.to_bits();
    let (sign, magnitude) = ((bits >> 16) as u16 & 0x8000, bits & 0x7fff_ffff);
    let half = if magnitude > 0x7f80_0000 {
        0x7e00 // not a number
    } else if magnitude >= 0x4780_0000 {
        0x7c00 // too large
    } else if magnitude < 0x3880_0000 {
        // The last bits of this sum are those of a number without exponent.
        ((f32::from_bits(magnitude) + 0.5).to_bits() - 0x3f00_0000) as u16
    } else {
        let odd = (magnitude >> 13) & 1;
        ((magnitude - (112 << 23) + 0xfff + odd) >> 13) as u16
    };
    half | sign
}

impl PartialEq for f16 {
    #[inline(always)]
    fn eq(&self, other: &Self) -> bool {
        f32::from(*self) == f32::from(*other)
    }
}

impl PartialOrd for f16 {
    #[inline(always)]
    fn partial_cmp(&self, other: &Self) -> Option<Ordering> {
        f32::from(*self).partial_cmp(&f32::from(*other))
    }
}

impl Neg for f16 {
    type Output = Self;
    #[inline(always)]
    fn neg(self) -> Self {
        Self(self.0 ^ 0x8000)
    }
}

macro_rules! operators {
    ($($trait:ident $method:ident $assign:ident $assign_method:ident $operator:tt;)*) => {
        $(
            impl $trait for f16 {
                type Output = Self;
                #[inline(always)]
                fn $method(self, other: Self) -> Self {
                    Self::from(f32::from(self) $operator f32::from(other))
                }
            }

            impl $assign for f16 {
                #[inline(always)]
                fn $assign_method(&mut self, other: Self) {
                    *self = *self $operator other;
                }
            }
        )*
    };
}

operators! {
    Add add AddAssign add_assign +;
    Sub sub SubAssign sub_assign -;
    Mul mul MulAssign mul_assign *;
    Div div DivAssign div_assign /;
}

impl Shuffle for f16 {
    #[inline(always)]
    fn shuffle(self, how: impl Fn(u32) -> u32 + Copy) -> Self {
        Self(self.0.shuffle(how))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn all_numbers_survive_the_way_through_float32() {
        for bits in 0..=u16::MAX {
            let there = f32::from(f16(bits));
            let back = f16::from(there);
            assert!(
                back.0 == bits || there.is_nan() && f32::from(back).is_nan(),
                "{bits:#x}"
            );
        }
        assert_eq!(f32::from(f16(0x3c00)), 1.0);
        assert_eq!(f32::from(f16(1)), 2_f32.powi(-24));
        assert_eq!(f32::from(f16(0x7bff)), 65504.0);
    }

    #[test]
    fn between_two_numbers_the_nearer_is_taken_then_the_even_one() {
        for bits in 0..0x7bff_u16 {
            let (low, high) = (f32::from(f16(bits)), f32::from(f16(bits + 1)));
            let middle = low + (high - low) / 2.0;
            assert_eq!(f16::from(middle).0, bits + bits % 2, "{bits:#x}");
            assert_eq!(
                f16::from(f32::from_bits(middle.to_bits() + 1)).0,
                bits + 1,
                "{bits:#x}"
            );
            assert_eq!(
                f16::from(f32::from_bits(middle.to_bits() - 1)).0,
                bits,
                "{bits:#x}"
            );
        }
        assert_eq!(f16::from(65519.9).0, 0x7bff);
        assert_eq!(f16::from(65520.0).0, 0x7c00);
        assert_eq!(f16::from(-1e30).0, 0xfc00);
    }
}
