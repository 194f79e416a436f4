//! Real parts: `-> y: real(T)[n]`.

use super::small_float::*;
use super::{Complex, Float};

/// A type whose numbers have a real part, of type `Part`.
pub trait Real {
    type Part;
}

impl<F: Float> Real for Complex<F> {
    type Part = F;
}

macro_rules! themselves {
    ($($type:ty),*) => {
        $(
            impl Real for $type {
                type Part = Self;
            }
        )*
    };
}

themselves!(bool, i8, u8, i16, u16, i32, u32, i64, u64, f32, f64);
for_small_floats!(types themselves);
