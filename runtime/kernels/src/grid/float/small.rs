//! The functions of f16 and bf16: f32's, whose result is rounded.

use super::{By4, Float, consts, functions};
use crate::grid::{bf16, f16};

macro_rules! through_f32 {
    ($($(#[$doc:meta])* $name:ident($($other:ident),*): $double:ident, $single:ident;)*) => {
        $(
            #[inline(always)]
            fn $name(self $(, $other: Self)*) -> Self {
                Float::$name(f32::from(self) $(, f32::from($other))*).into()
            }
        )*
    };
}

macro_rules! small {
    ($($float:ident),*) => {
        $(
            impl Float for $float {
                type AlignedPair = By4;

                consts::all! { small }
                functions! { through_f32 }
                through_f32! {
                    sqrt(): sqrt, sqrt;
                    floor(): floor, floor;
                    ceil(): ceil, ceil;
                    trunc(): trunc, trunc;
                    mul_add(factor, term): fma, fma;
                    exp(): exp, exp;
                    erf(): erf, erf;
                }

                /// Rounded to f32 first.
                #[inline(always)]
                fn of(value: f64) -> Self {
                    (value as f32).into()
                }

                #[inline(always)]
                fn wide(self) -> f64 {
                    f32::from(self).into()
                }

                #[inline(always)]
                fn abs(self) -> Self {
                    Self::from_bits(self.to_bits() & !Self::SIGN)
                }
            }
        )*
    };
}

small!(bf16, f16);
