use crate::prelude::*;

kernel! {
    /// Return `x`, times the normal distribution function of `x`.
    gelu<T: f32 | f16 | bf16>(x: &T[...]) -> y: T[...] {
        let x = f32::from(x);
        *y = T::from(0.5 * x * (1.0 + Float::erf(x * core::f32::consts::FRAC_1_SQRT_2)));
    }
}
