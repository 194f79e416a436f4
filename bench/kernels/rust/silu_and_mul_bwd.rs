use crate::prelude::*;

kernel! {
    /// The gradients of `silu_and_mul`.
    silu_and_mul_bwd<T: f32 | f16 | bf16>(dy: &T[...], gate: &T[...], up: &T[...]) -> (dgate: T[...], dup: T[...]) {
        let gate = f32::from(gate);
        let part = fast::recip(1.0 + fast::exp(-gate));
        let grad = f32::from(dy) * part;
        *dgate = T::from(grad * f32::from(up) * (1.0 + gate * (1.0 - part)));
        *dup = T::from(grad * gate);
    }
}
