//! Functions of float32 and float64 that Rust's `core` lacks.

use core::fmt::Debug;
use core::ops::{Add, AddAssign, Div, DivAssign, Mul, MulAssign, Neg, Sub, SubAssign};

use super::{Element, Shuffle, exp};

/// float32 or float64. In functions that are generic over it, the GPU and the CPU give the same bits.
pub trait Float:
    Element
    + Shuffle
    + PartialOrd
    + Add<Output = Self>
    + Sub<Output = Self>
    + Mul<Output = Self>
    + Div<Output = Self>
    + Neg<Output = Self>
    + AddAssign
    + SubAssign
    + MulAssign
    + DivAssign
{
    /// Nothing, at a multiple of the size of two.
    #[doc(hidden)]
    type AlignedPair: Copy + Debug + Default + PartialEq + Send + Sync + 'static;

    /// The number as it is in this precision.
    fn of(value: f64) -> Self;

    /// The number in double precision.
    fn wide(self) -> f64;

    /// The absolute value.
    #[must_use]
    fn abs(self) -> Self;

    /// The square root, correctly rounded.
    #[must_use]
    fn sqrt(self) -> Self;

    /// The largest whole number that is not larger.
    #[must_use]
    fn floor(self) -> Self;

    /// `self * factor + term`, rounded once.
    #[must_use]
    fn mul_add(self, factor: Self, term: Self) -> Self;

    /// e to this power.
    #[must_use]
    fn exp(self) -> Self;

    /// This to a whole power.
    #[must_use]
    #[inline(always)]
    fn powi(self, power: i32) -> Self {
        let (mut result, mut square, mut rest) = (Self::of(1.0), self, power.unsigned_abs());
        while rest > 0 {
            if rest % 2 == 1 {
                result *= square;
            }
            square *= square;
            rest /= 2;
        }
        if power < 0 {
            Self::of(1.0) / result
        } else {
            result
        }
    }
}

macro_rules! floats {
    ($($float:ident: $exp:path, $pair:ident;)*) => {
        $(
            impl Float for $float {
                type AlignedPair = $pair;

                #[inline(always)]
                fn of(value: f64) -> Self {
                    value as Self
                }

                #[inline(always)]
                fn wide(self) -> f64 {
                    self.into()
                }

                #[inline(always)]
                fn abs(self) -> Self {
                    $float::abs(self)
                }

                #[inline(always)]
                fn sqrt(self) -> Self {
                    on_target::$float::sqrt(self)
                }

                #[inline(always)]
                fn floor(self) -> Self {
                    on_target::$float::floor(self)
                }

                #[inline(always)]
                fn mul_add(self, factor: Self, term: Self) -> Self {
                    on_target::$float::mul_add(self, factor, term)
                }

                #[inline(always)]
                fn exp(self) -> Self {
                    $exp(self)
                }
            }
        )*
    };
}

/// As two float32 lie, which are read at once.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
#[repr(align(8))]
pub struct By8;

/// As two float64 do.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
#[repr(align(16))]
pub struct By16;

floats! {
    f32: exp::single, By8;
    f64: exp::double, By16;
}

/// The functions that are instructions of the target.
#[cfg(target_arch = "nvptx64")]
use super::ptx::float as on_target;

#[cfg(not(target_arch = "nvptx64"))]
mod on_target {
    macro_rules! inherent {
        ($($float:ident),*) => {
            $(pub mod $float {
                #[inline(always)]
                pub fn sqrt(x: $float) -> $float {
                    x.sqrt()
                }

                #[inline(always)]
                pub fn floor(x: $float) -> $float {
                    x.floor()
                }

                #[inline(always)]
                pub fn mul_add(x: $float, factor: $float, term: $float) -> $float {
                    x.mul_add(factor, term)
                }
            })*
        };
    }
    inherent!(f32, f64);
}

#[cfg(test)]
mod tests {
    use super::Float;

    fn check<T: Float>(x: f64, allowed: f64) {
        let (got, expected) = (Float::exp(T::of(x)).wide(), T::of(x).wide().exp());
        if expected > f64::from(f32::MIN_POSITIVE) && expected < f64::from(f32::MAX) {
            assert!((got / expected - 1.0).abs() <= allowed, "exp({x}) = {got}");
        }
    }

    #[test]
    fn exponentials_are_right_to_the_last_bits() {
        for i in -70_000..70_000 {
            let x = f64::from(i) * 1.237e-3;
            check::<f32>(x, 2.5e-7);
            check::<f64>(x, 5e-16);
        }
        assert_eq!(Float::exp(0.0_f32), 1.0);
        assert_eq!(Float::exp(1000.0_f32), f32::INFINITY);
        assert_eq!(Float::exp(-1000.0_f64), 0.0);
        assert_eq!(Float::exp(-745.0_f64), 5e-324);
        assert!(Float::exp(f32::NAN).is_nan());
        assert!(Float::exp(f64::NAN).is_nan());
    }

    #[test]
    fn powers() {
        assert_eq!(Float::powi(3.0_f64, 5), 243.0);
        assert_eq!(Float::powi(2.0_f32, -3), 0.125);
        assert_eq!(Float::powi(7.0_f32, 0), 1.0);
    }
}
