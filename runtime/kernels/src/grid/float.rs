//! Functions of floating-point numbers: the methods of std's `f32`, of which Rust's `core` has few.
//!
//! They are from the crate `libm`, compiled for the GPU as for the CPU, but for what is an instruction of
//! either and rounded correctly.

mod consts;
#[cfg(not(target_arch = "nvptx64"))]
mod of_std;
mod small;

use core::fmt::Debug;
use core::ops::{Add, AddAssign, Div, DivAssign, Mul, MulAssign, Neg, Sub, SubAssign};

use super::{Element, Shuffle, erf, exp};

/// The functions of a table, as the trait declares them.
macro_rules! declared {
    ($($(#[$doc:meta])* $name:ident($($other:ident),*): $double:ident, $single:ident;)*) => {
        $($(#[$doc])* #[must_use] fn $name(self $(, $other: Self)*) -> Self;)*
    };
}

macro_rules! of_f32 {
    ($($(#[$doc:meta])* $name:ident($($other:ident),*): $double:ident, $single:ident;)*) => {
        $(#[inline(always)] fn $name(self $(, $other: Self)*) -> Self { libm::$single(self $(, $other)*) })*
    };
}

macro_rules! of_f64 {
    ($($(#[$doc:meta])* $name:ident($($other:ident),*): $double:ident, $single:ident;)*) => {
        $(#[inline(always)] fn $name(self $(, $other: Self)*) -> Self { libm::$double(self $(, $other)*) })*
    };
}

/// Calls a macro with the functions that are libm's.
macro_rules! functions {
    ($then:ident) => {
        $crate::grid::float::functions! { @rounded $then }
        $then! {
            /// The nearest whole number; of two, that which is farther from 0.
            round(): round, roundf;
            /// This number with the sign of another.
            copysign(sign): copysign, copysignf;
            /// Returns the remainder of a division with a whole quotient, with the sign of `self`.
            #[doc(hidden)]
            remainder(divisor): fmod, fmodf;
        }
    };
    // Those whose last bits are libm's own.
    (@rounded $then:ident) => {
        $then! {
            /// The sine, of radians.
            sin(): sin, sinf;
            /// The cosine, of radians.
            cos(): cos, cosf;
            /// The tangent, of radians.
            tan(): tan, tanf;
            /// The inverse of the sine, from -π/2 to π/2.
            asin(): asin, asinf;
            /// The inverse of the cosine, from 0 to π.
            acos(): acos, acosf;
            /// The inverse of the tangent, from -π/2 to π/2.
            atan(): atan, atanf;
            /// The angle of the point (`x`, `self`), from -π to π.
            atan2(x): atan2, atan2f;
            /// The hyperbolic sine.
            sinh(): sinh, sinhf;
            /// The hyperbolic cosine.
            cosh(): cosh, coshf;
            /// The hyperbolic tangent.
            tanh(): tanh, tanhf;
            /// The inverse of the hyperbolic sine.
            asinh(): asinh, asinhf;
            /// The inverse of the hyperbolic cosine.
            acosh(): acosh, acoshf;
            /// The inverse of the hyperbolic tangent.
            atanh(): atanh, atanhf;
            /// 2 to this power.
            exp2(): exp2, exp2f;
            /// e to this power, less 1: exact where this is near 0.
            exp_m1(): expm1, expm1f;
            /// The natural logarithm.
            ln(): log, logf;
            /// The natural logarithm of 1 more: exact where this is near 0.
            ln_1p(): log1p, log1pf;
            /// The logarithm to base 2.
            log2(): log2, log2f;
            /// The logarithm to base 10.
            log10(): log10, log10f;
            /// This to any power.
            powf(power): pow, powf;
            /// The cube root.
            cbrt(): cbrt, cbrtf;
            /// The length of the vector (`self`, `other`), which does not overflow on the way.
            hypot(other): hypot, hypotf;
            /// 1 less the error function: exact where that is near 1.
            erfc(): erfc, erfcf;
            /// The gamma function.
            gamma(): tgamma, tgammaf;
            /// The natural logarithm of the absolute value of the gamma function.
            ln_gamma(): lgamma, lgammaf;
        }
    };
}
use functions;

/// A floating-point number: f32, f64, and f16 and bf16, which compute as f32. In functions that are generic over it,
/// the GPU and the CPU give the same bits.
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

    consts::all! { declared }
    functions! { declared }

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

    /// The smallest whole number that is not smaller.
    #[must_use]
    fn ceil(self) -> Self;

    /// The whole number before the point.
    #[must_use]
    fn trunc(self) -> Self;

    /// `self * factor + term`, rounded once.
    #[must_use]
    fn mul_add(self, factor: Self, term: Self) -> Self;

    /// e to this power.
    #[must_use]
    fn exp(self) -> Self;

    /// The error function.
    #[must_use]
    fn erf(self) -> Self;

    /// Returns the fractional part, with the sign of this.
    #[must_use]
    #[inline(always)]
    fn fract(self) -> Self {
        self - self.trunc()
    }

    /// 1 with the sign of this; not a number where this is none.
    #[must_use]
    #[inline(always)]
    fn signum(self) -> Self {
        if self.is_nan() {
            self
        } else {
            Self::ONE.copysign(self)
        }
    }

    /// 1 divided by this.
    #[must_use]
    #[inline(always)]
    fn recip(self) -> Self {
        Self::ONE / self
    }

    /// 1 divided by the square root; each is rounded.
    #[must_use]
    #[inline(always)]
    fn rsqrt(self) -> Self {
        Self::ONE / self.sqrt()
    }

    /// The smaller of two numbers, or the one that is a number.
    #[must_use]
    #[inline(always)]
    fn min(self, other: Self) -> Self {
        if other < self || self.is_nan() {
            other
        } else {
            self
        }
    }

    /// The larger of two numbers, or the one that is a number.
    #[must_use]
    #[inline(always)]
    fn max(self, other: Self) -> Self {
        if other > self || self.is_nan() {
            other
        } else {
            self
        }
    }

    /// The nearest number from `low` to `high`.
    #[must_use]
    #[inline(always)]
    fn clamp(self, low: Self, high: Self) -> Self {
        if self < low {
            low
        } else if self > high {
            high
        } else {
            self
        }
    }

    /// Returns the remainder of a division with a whole quotient, from 0 to below the absolute
    /// value of the divisor.
    #[must_use]
    #[inline(always)]
    fn rem_euclid(self, divisor: Self) -> Self {
        let rest = self.remainder(divisor);
        if rest < Self::ZERO {
            rest + divisor.abs()
        } else {
            rest
        }
    }

    /// The logarithm to any base.
    #[must_use]
    #[inline(always)]
    fn log(self, base: Self) -> Self {
        self.ln() / base.ln()
    }

    /// The sine and the cosine.
    #[inline(always)]
    fn sin_cos(self) -> (Self, Self) {
        (self.sin(), self.cos())
    }

    /// These radians in degrees.
    #[must_use]
    #[inline(always)]
    fn to_degrees(self) -> Self {
        self * Self::of(180.0 / core::f64::consts::PI)
    }

    /// These degrees in radians.
    #[must_use]
    #[inline(always)]
    fn to_radians(self) -> Self {
        self * (Self::PI / Self::of(180.0))
    }

    /// True if this is not a number.
    #[inline(always)]
    fn is_nan(self) -> bool {
        self.partial_cmp(&self).is_none()
    }

    /// True if this is neither infinite nor not a number.
    #[inline(always)]
    fn is_finite(self) -> bool {
        self.abs() < Self::INFINITY
    }

    /// This to a whole power.
    #[must_use]
    #[inline(always)]
    fn powi(self, power: i32) -> Self {
        let (mut result, mut square, mut rest) = (Self::ONE, self, power.unsigned_abs());
        while rest > 0 {
            if rest % 2 == 1 {
                result *= square;
            }
            square *= square;
            rest /= 2;
        }
        if power < 0 {
            Self::ONE / result
        } else {
            result
        }
    }
}

macro_rules! floats {
    ($($float:ident: $functions:ident, $exp:path, $erf:path, $pair:ident;)*) => {
        $(
            impl Float for $float {
                type AlignedPair = $pair;

                consts::all! { $float }
                functions! { $functions }

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
                fn ceil(self) -> Self {
                    on_target::$float::ceil(self)
                }

                #[inline(always)]
                fn trunc(self) -> Self {
                    on_target::$float::trunc(self)
                }

                #[inline(always)]
                fn mul_add(self, factor: Self, term: Self) -> Self {
                    on_target::$float::mul_add(self, factor, term)
                }

                #[inline(always)]
                fn exp(self) -> Self {
                    $exp(self)
                }

                #[inline(always)]
                fn erf(self) -> Self {
                    $erf(self)
                }
            }
        )*
    };
}

/// As two float16 lie, which no array has.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
#[repr(align(4))]
pub struct By4;

/// As two float32 lie, which are read at once.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
#[repr(align(8))]
pub struct By8;

/// As two float64 do.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
#[repr(align(16))]
pub struct By16;

floats! {
    f32: of_f32, exp::single, erf::single, By8;
    f64: of_f64, exp::double, libm::erf, By16;
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
                pub fn ceil(x: $float) -> $float {
                    x.ceil()
                }

                #[inline(always)]
                pub fn trunc(x: $float) -> $float {
                    x.trunc()
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
    fn error_function_is_right_to_the_last_bits() {
        let largest = (0..0x40a0_0000)
            .step_by(997)
            .map(f32::from_bits)
            .map(|x| {
                let (got, expected) = (Float::erf(x), libm::erf(x.into()));
                assert_eq!(Float::erf(-x), -got);
                (f64::from(got) - expected).abs()
                    / f64::from((expected as f32).next_up() - expected as f32)
            })
            .fold(0.0, f64::max);
        assert!(largest < 1.1, "{largest} units in the last place");
        assert_eq!(Float::erf(-0.0_f32).to_bits(), (-0.0_f32).to_bits());
        assert_eq!(Float::erf(f32::NEG_INFINITY), -1.0);
        assert!(Float::erf(f32::NAN).is_nan());
    }

    #[test]
    fn exponentials_are_right_to_the_last_bits() {
        for i in -70_000..70_000 {
            let x = f64::from(i) * 1.237e-3;
            check::<f32>(x, 1.2e-7);
            check::<f64>(x, 5e-16);
        }
        assert_eq!(Float::exp(0.0_f32), 1.0);
        assert_eq!(Float::exp(1000.0_f32), f32::INFINITY);
        assert_eq!(Float::exp(-1000.0_f64), 0.0);
        assert_eq!(Float::exp(-745.0_f64), 5e-324);
        assert!(Float::exp(f32::NAN).is_nan());
        assert!(Float::exp(f64::NAN).is_nan());
    }

    macro_rules! check_same {
        ($x:ident $float:ident: $($name:ident($($other:expr),*)),*) => {
            $(
                let (std, ours) = ($float::$name($x $(, $other)*), <$float as Float>::$name($x $(, $other)*));
                let same = std.to_bits() == ours.to_bits() || std.is_nan() && ours.is_nan();
                assert!(same, "{}({}) is {std:e} of std's, and {ours:e}", stringify!($name), $x);
            )*
        };
    }

    #[test]
    fn methods_of_std_are_the_same_functions() {
        for i in -20_000..20_000 {
            let double = core::hint::black_box(f64::from(i) * 1.237e-3);
            let single = double as f32;
            check_same!(
                double f64: sin(), cos(), tan(), asin(), acos(), atan(), atan2(1.7), sinh(), cosh(), tanh(), exp(), exp2(),
                exp_m1(), ln(), ln_1p(), log2(), log10(), powf(1.7), cbrt(), hypot(1.7), powi(3), sqrt(), to_degrees(),
                to_radians(), rem_euclid(1.7), round(), fract()
            );
            check_same!(
                single f32: sin(), cos(), tan(), asin(), acos(), atan(), atan2(1.7), sinh(), cosh(), tanh(), exp(), exp2(),
                exp_m1(), ln(), ln_1p(), log2(), log10(), powf(1.7), cbrt(), hypot(1.7), powi(3), sqrt(), to_degrees(),
                to_radians(), rem_euclid(1.7), round(), fract()
            );
        }
    }

    #[test]
    fn powers() {
        assert_eq!(Float::powi(3.0_f64, 5), 243.0);
        assert_eq!(Float::powi(2.0_f32, -3), 0.125);
        assert_eq!(Float::powi(7.0_f32, 0), 1.0);
    }
}
