//! Floats of 16 bits and fewer: kept as bits, computed with as float32.

use core::cmp::Ordering;
use core::ops::{Add, AddAssign, Div, DivAssign, Mul, MulAssign, Neg, Sub, SubAssign};

use super::Shuffle;

const F32_SIGN: u32 = 1 << 31;
const F32_INFINITY: u32 = 0x7f80_0000;

/// How many bits exponent and fraction have, after the sign, and whether the largest exponent is
/// for infinity and NaNs. Otherwise only all bits set are a NaN. Without a fraction it is a power of
/// two, and has neither zero nor sign.
struct Format {
    exponent: u32,
    fraction: u32,
    has_infinity: bool,
}

impl Format {
    /// Number of bits of float32's fraction that are cut off.
    const fn shift(&self) -> u32 {
        23 - self.fraction
    }

    /// Between the exponents, which count from the middle of their range.
    const fn rebias(&self) -> u32 {
        128 - (1 << (self.exponent - 1))
    }

    const fn sign(&self) -> u32 {
        1 << (self.exponent + self.fraction)
    }

    const fn infinity(&self) -> u32 {
        self.sign() - (1 << self.fraction)
    }

    const fn not_a_number(&self) -> u32 {
        if self.has_infinity {
            self.infinity() | ((1 << self.fraction) / 2)
        } else {
            self.sign() - 1
        }
    }

    /// The least magnitude that is no finite number.
    const fn limit(&self) -> u32 {
        if self.has_infinity {
            self.infinity()
        } else {
            self.not_a_number()
        }
    }

    #[inline(always)]
    fn to_f32(&self, bits: u32) -> f32 {
        if self.fraction == 0 {
            // The first and the last have a fraction in float32.
            let has_fraction = (bits + 1) & 0xff < 2;
            return f32::from_bits(bits << 23 | u32::from(has_fraction) << 22);
        }
        let top = bits << (31 - self.exponent - self.fraction);
        if self.rebias() == 0 {
            return f32::from_bits(top); // bfloat16 is float32's upper half
        }
        // The bits of the sign that this shifts in are cut off.
        let moved = (top.cast_signed() >> (8 - self.exponent)).cast_unsigned()
            & (F32_SIGN | (self.sign() - 1) << self.shift());
        // The product moves the exponent, also of small numbers, which have none.
        let number = f32::from_bits(moved) * f32::from_bits((127 + self.rebias()) << 23);
        let is_finite = moved & !F32_SIGN < self.limit() << self.shift();
        f32::from_bits(number.to_bits() | if is_finite { 0 } else { F32_INFINITY })
    }

    #[inline(always)]
    const fn of_f32(&self, value: f32) -> u32 {
        let (bits, bias) = (value.to_bits(), self.rebias() << 23);
        let magnitude = bits & !F32_SIGN;
        if self.fraction == 0 {
            // A tie to the larger one. As in ml_dtypes, everything beyond the smallest, 2^-127, up to the second.
            let smallest = 1 << 22;
            let nearest = (bits.wrapping_add(smallest) >> 23) - (bits == smallest) as u32;
            return if bits.wrapping_sub(1) < F32_INFINITY - smallest - 1 {
                nearest
            } else {
                self.not_a_number()
            };
        }
        if self.rebias() == 0 {
            return rounded_above(value) >> 16;
        }
        let odd = (magnitude >> self.shift()) & 1;
        let half = (1 << (self.shift() - 1)) - 1;
        let normal = magnitude.wrapping_sub(bias).wrapping_add(half + odd) >> self.shift();
        // The last bits of this sum are the bits of a number without exponent.
        let step = (self.rebias() + self.shift() + 1) << 23;
        let sum = f32::from_bits(magnitude) + f32::from_bits(step);
        let subnormal = sum.to_bits().wrapping_sub(step);
        // All of it is computed, and then chosen from, so that compilers make vectors of loops.
        let rounded = if magnitude < bias + (1 << 23) {
            subnormal
        } else {
            normal
        };
        let limited = if magnitude < (self.limit() << self.shift()) + bias {
            rounded
        } else {
            self.limit()
        };
        let number = if magnitude > F32_INFINITY {
            self.not_a_number()
        } else {
            limited
        };
        number | bits >> (31 - self.exponent - self.fraction) & self.sign()
    }
}

/// A bfloat16 in the upper half; the lower one means nothing.
#[inline(always)]
const fn rounded_above(value: f32) -> u32 {
    let bits = value.to_bits();
    if value.is_nan() {
        bits & F32_SIGN | bf16::FORMAT.not_a_number() << 16
    } else {
        bits.wrapping_add(0x7fff + (bits >> 16 & 1))
    }
}

/// Calls a macro with these types, with their atomics, or with their variants of `DType`.
macro_rules! for_small_floats {
    (types $then:ident) => {
        $then!(f16, bf16, f8e4m3, f8e5m2, f8e8m0);
    };
    (atomics $then:ident) => {
        $then!(f16: AtomicU16, bf16: AtomicU16, f8e4m3: AtomicU8, f8e5m2: AtomicU8, f8e8m0: AtomicU8);
    };
    (dtypes $then:ident) => {
        $then! { f16: F16; bf16: BF16; f8e4m3: F8E4M3; f8e5m2: F8E5M2; f8e8m0: F8E8M0; }
    };
}
pub(crate) use for_small_floats;

macro_rules! small_floats {
    ($($(#[$attribute:meta])* $float:ident($bits:ident) $exponent:literal $fraction:literal $has_infinity:literal;)*) => {
        $(
            $(#[$attribute])*
            #[allow(non_camel_case_types)] // a dtype, as f32 is
            #[derive(Clone, Copy, Debug, Default)]
            #[repr(transparent)]
            pub struct $float($bits);

            impl $float {
                const FORMAT: Format = Format {
                    exponent: $exponent,
                    fraction: $fraction,
                    has_infinity: $has_infinity,
                };

                /// The bit of the sign, if there is one.
                pub(super) const SIGN: $bits = Self::FORMAT.sign() as $bits;

                /// The nearest number, of a constant.
                pub(super) const fn rounded(value: f32) -> Self {
                    Self(Self::FORMAT.of_f32(value) as $bits)
                }

                #[must_use]
                pub const fn from_bits(bits: $bits) -> Self {
                    Self(bits)
                }

                #[must_use]
                pub const fn to_bits(self) -> $bits {
                    self.0
                }
            }

            impl PartialEq for $float {
                #[inline(always)]
                fn eq(&self, other: &Self) -> bool {
                    f32::from(*self) == f32::from(*other)
                }
            }

            impl PartialOrd for $float {
                #[inline(always)]
                fn partial_cmp(&self, other: &Self) -> Option<Ordering> {
                    f32::from(*self).partial_cmp(&f32::from(*other))
                }
            }

            impl Neg for $float {
                type Output = Self;
                #[inline(always)]
                fn neg(self) -> Self {
                    Self(if Self::SIGN == 0 {
                        Self::FORMAT.not_a_number() as $bits
                    } else {
                        self.0 ^ Self::SIGN
                    })
                }
            }

            impl Shuffle for $float {
                #[inline(always)]
                fn shuffle(self, how: impl Fn(u32) -> u32 + Copy) -> Self {
                    Self(self.0.shuffle(how))
                }
            }

            operators! { $float
                Add add AddAssign add_assign +;
                Sub sub SubAssign sub_assign -;
                Mul mul MulAssign mul_assign *;
                Div div DivAssign div_assign /;
            }
        )*
    };
}

macro_rules! operators {
    ($float:ident $($trait:ident $method:ident $assign:ident $assign_method:ident $operator:tt;)*) => {
        $(
            impl $trait for $float {
                type Output = Self;
                #[inline(always)]
                fn $method(self, other: Self) -> Self {
                    Self::from(f32::from(self) $operator f32::from(other))
                }
            }

            impl $assign for $float {
                #[inline(always)]
                fn $assign_method(&mut self, other: Self) {
                    *self = *self $operator other;
                }
            }
        )*
    };
}

small_floats! {
    /// float16. Every operation is one of float32 whose result is rounded.
    f16(u16) 5 10 true;
    /// bfloat16: float32 without its last 16 bits. Computed with as [`struct@f16`].
    bf16(u16) 8 7 true;
    /// float8_e4m3fn, which has no infinity. Computed with as [`struct@f16`].
    f8e4m3(u8) 4 3 false;
    /// float8_e5m2. Computed with as [`struct@f16`].
    f8e5m2(u8) 5 2 true;
    /// float8_e8m0fnu: powers of two. Zero and negative numbers become a NaN. Computed with as [`struct@f16`].
    f8e8m0(u8) 8 0 false;
}

macro_rules! conversions {
    ($($float:ident($bits:ident))*) => {
        $(
            impl From<$float> for f32 {
                /// Exact.
                #[inline(always)]
                fn from(value: $float) -> Self {
                    $float::FORMAT.to_f32(value.0.into())
                }
            }

            impl From<f32> for $float {
                /// To the nearest, of two the even one.
                #[inline(always)]
                fn from(value: f32) -> Self {
                    Self::rounded(value)
                }
            }
        )*
    };
}

#[cfg(not(target_arch = "nvptx64"))]
conversions!(f16(u16) bf16(u16) f8e4m3(u8) f8e5m2(u8) f8e8m0(u8));
#[cfg(target_arch = "nvptx64")]
conversions!(f8e8m0(u8));

/// Conversions by instructions of the GPU. They make one NaN of all; these keep the bits that NaNs
/// have on the CPU.
#[cfg(target_arch = "nvptx64")]
mod instructions {
    use super::{F32_INFINITY, F32_SIGN, bf16, f8e4m3, f8e5m2, f16};
    use crate::grid::ptx::float::{
        from_half, from_upper_half, to_e4m3, to_e5m2, to_half, to_upper_half, upper_half,
    };

    impl From<f16> for f32 {
        /// The GPU's NaN is the largest integer. The right one is below it, and is farther from zero
        /// than the number where that is one.
        #[inline(always)]
        fn from(value: f16) -> Self {
            let moved = from_upper_half(value.0).cast_signed() >> 3;
            let nan = moved | F32_INFINITY.cast_signed();
            let number = from_half(value.0).to_bits().cast_signed();
            Self::from_bits(number.min(nan).cast_unsigned())
        }
    }

    impl From<f32> for f16 {
        /// In the same way, and with the sign, which the GPU's NaN has lost.
        #[inline(always)]
        fn from(value: f32) -> Self {
            let nan = from_upper_half(Self::FORMAT.not_a_number() as u16).cast_signed();
            let number = from_upper_half(to_half(value)).cast_signed();
            let sign = value.to_bits() & F32_SIGN;
            Self(upper_half(number.min(nan).cast_unsigned() | sign))
        }
    }

    impl From<bf16> for f32 {
        #[inline(always)]
        fn from(value: bf16) -> Self {
            Self::from_bits(from_upper_half(value.0))
        }
    }

    impl From<f32> for bf16 {
        #[inline(always)]
        fn from(value: f32) -> Self {
            Self(upper_half(to_upper_half(value)))
        }
    }

    impl From<f8e5m2> for f32 {
        /// Its bits are the upper ones of float16.
        #[inline(always)]
        fn from(value: f8e5m2) -> Self {
            f16(u16::from(value.0) << 8).into()
        }
    }

    impl From<f32> for f8e5m2 {
        #[inline(always)]
        fn from(value: f32) -> Self {
            Self(to_e5m2(value, Self::rounded(value).0.into()) as u8)
        }
    }

    impl From<f8e4m3> for f32 {
        #[inline(always)]
        fn from(value: f8e4m3) -> Self {
            f8e4m3::FORMAT.to_f32(value.0.into())
        }
    }

    impl From<f32> for f8e4m3 {
        #[inline(always)]
        fn from(value: f32) -> Self {
            Self(to_e4m3(value, Self::rounded(value).0.into()) as u8)
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    macro_rules! check {
        ($($test:ident $float:ident($bits:ident) $one:literal $largest:literal $too_large:literal;)*) => {
            $(
                #[test]
                fn $test() {
                    let limit = $float::FORMAT.limit() as $bits;
                    for bits in 0..=$bits::MAX {
                        let there = f32::from($float(bits));
                        let back = $float::from(there);
                        assert!(back.0 == bits || there.is_nan() && f32::from(back).is_nan(), "{bits:#x}");
                    }
                    for bits in 0..limit - 1 {
                        let (low, high) = (f32::from($float(bits)), f32::from($float(bits + 1)));
                        let middle = low + (high - low) / 2.0;
                        assert_eq!($float::from(middle).0, bits + bits % 2, "{bits:#x}");
                        assert_eq!($float::from(middle.next_up()).0, bits + 1, "{bits:#x}");
                        assert_eq!($float::from(middle.next_down()).0, bits, "{bits:#x}");
                    }
                    assert_eq!(f32::from($float($one)), 1.0);
                    assert_eq!(f32::from($float(limit - 1)), $largest);
                    assert_eq!($float::from(-$largest), -$float(limit - 1));
                    let beyond = f32::from($float::from($too_large));
                    assert!(if $float::FORMAT.has_infinity { beyond == f32::INFINITY } else { beyond.is_nan() });
                }
            )*
        };
    }

    /// The sign and the fraction of what is not a number, and the bits that it becomes.
    #[test]
    fn nan_keeps_its_bits() {
        for bits in [0x7c01, 0x7e00, 0x7fff, 0xfc01_u16] {
            let sign = u32::from(bits & 0x8000) << 16;
            let expected = sign | F32_INFINITY | u32::from(bits & 0x3ff) << 13;
            assert_eq!(f32::from(f16(bits)).to_bits(), expected, "{bits:#x}");
        }
        for bits in [0x7f81, 0xffff_u16] {
            assert_eq!(f32::from(bf16(bits)).to_bits(), u32::from(bits) << 16);
        }
        assert_eq!(f32::from(f8e5m2(0xfd)).to_bits(), 0xffa0_0000);
        assert_eq!(f32::from(f8e4m3(0xff)).to_bits(), 0xfff0_0000);
        for (bits, sign) in [(0x7f80_0001, 0), (0xffff_ffff, 1)] {
            let value = f32::from_bits(bits);
            assert_eq!(f16::from(value).0, sign << 15 | 0x7e00);
            assert_eq!(bf16::from(value).0, sign << 15 | 0x7fc0);
            assert_eq!(f8e4m3::from(value).0, (sign << 7 | 0x7f) as u8);
            assert_eq!(f8e5m2::from(value).0, (sign << 7 | 0x7e) as u8);
        }
    }

    /// As in ml_dtypes, everything beyond the smallest number is rounded up to the second.
    #[test]
    fn float8_e8m0fnu() {
        let of = |value: f32| f8e8m0::from(value).0;
        for bits in 0..=u8::MAX {
            let value = f32::from(f8e8m0(bits));
            assert_eq!(f64::from(value).is_nan(), bits == 255);
            assert_eq!(of(value), bits);
            assert_eq!((-f8e8m0(bits)).0, 255);
            if bits < 255 {
                assert_eq!(f64::from(value), 2_f64.powi(i32::from(bits) - 127));
                assert_eq!(of(-value), 255);
            }
            if (1..255).contains(&bits) {
                assert_eq!(of(1.5 * value), bits + 1);
                assert_eq!(of((1.5 * value).next_down()), bits);
                assert_eq!(of(value.next_down()), bits);
            }
        }
        let smallest = f32::from(f8e8m0(0));
        assert_eq!([of(smallest.next_up()), of(f32::from_bits(1))], [1, 0]);
        for value in [0.0, -0.0, f32::INFINITY, f32::NAN, f32::MAX] {
            assert_eq!(of(value), 255, "{value}");
        }
    }

    check! {
        float16 f16(u16) 0x3c00 65504.0 65520.0;
        bfloat16 bf16(u16) 0x3f80 3.389_531_4e38 3.396_178e38;
        float8_e4m3fn f8e4m3(u8) 0x38 448.0 464.1;
        float8_e5m2 f8e5m2(u8) 0x3c 57344.0 61440.0;
    }
}
