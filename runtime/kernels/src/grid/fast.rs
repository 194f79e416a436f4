//! Fast functions of float32, for where the last bits do not matter: instructions of the GPU, on the CPU std's functions.
//! The sides give different bits. The reference has their errors.

#[cfg(not(target_arch = "nvptx64"))]
use cpu as target;

#[cfg(target_arch = "nvptx64")]
use super::ptx::float::fast as target;

macro_rules! functions {
    ($($(#[$doc:meta])* $name:ident;)*) => {
        $(
            $(#[$doc])*
            #[must_use]
            #[inline(always)]
            pub fn $name(x: f32) -> f32 {
                target::$name(x)
            }
        )*

        #[cfg(not(target_arch = "nvptx64"))]
        mod cpu {
            $(
                #[inline(always)]
                pub fn $name(x: f32) -> f32 {
                    #[allow(unused_imports)] // std has all but one
                    use crate::grid::Float;
                    x.$name()
                }
            )*
        }
    };
}

functions! {
    /// The sine, of radians that are not far from 0.
    sin;
    /// The cosine, of radians that are not far from 0.
    cos;
    /// 2 to this power; below 2^-126 it is 0 on the GPU.
    exp2;
    /// The logarithm to base 2.
    log2;
    /// The square root.
    sqrt;
    /// 1 divided by the square root.
    rsqrt;
    /// 1 divided by this; numbers below 2^-126 are 0 on the GPU.
    recip;
}

/// e to this power.
#[must_use]
#[inline(always)]
pub fn exp(x: f32) -> f32 {
    exp2(x * core::f32::consts::LOG2_E)
}

/// The natural logarithm.
#[must_use]
#[inline(always)]
pub fn ln(x: f32) -> f32 {
    log2(x) * core::f32::consts::LN_2
}

/// The tangent, of radians that are not far from 0.
#[must_use]
#[inline(always)]
pub fn tan(x: f32) -> f32 {
    sin(x) * recip(cos(x))
}

/// The hyperbolic tangent.
#[must_use]
#[inline(always)]
pub fn tanh(x: f32) -> f32 {
    1.0 - 2.0 * recip(exp(2.0 * x) + 1.0)
}

/// This positive number to any power.
#[must_use]
#[inline(always)]
pub fn powf(x: f32, power: f32) -> f32 {
    exp2(power * log2(x))
}
